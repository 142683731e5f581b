import type { RunOnceOptions } from '../../layer/call';
import type { OnOrphan } from '../../layer/orphan';
import type { Run } from '../../layer/run';
import type { runOnceWith } from '../../layer/run-once';
import type { createStore } from '../../layer/store';
import type { TransactItem } from '../../layer/table';
import type { Oracle } from './oracle';
import type { Caller } from './schedule';
import { EFFECTS, KEY, type Process, type Subject, TABLE } from './world';

/** What of the layer is needed, so that the same harness also plays a layer from which a guard was taken. */
export interface LayerCore {
  runOnceWith: typeof runOnceWith;
  createStore: typeof createStore;
}

export class Refused extends Error {
  override name = 'Refused';
}

export function layerSubject(name: string, { runOnceWith, createStore }: LayerCore): Subject {
  return {
    name,
    call(process, oracle) {
      const { clock, table, plan } = process;
      const store = createStore(table, TABLE, clock);
      const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 86_400 });
      return runOnce(KEY, optionsOf(plan, oracle), (run) => work(process, oracle, run));
    },
  };
}

function optionsOf(plan: Caller, oracle: Oracle): RunOnceOptions {
  const reconcile: OnOrphan = () => (oracle.effects > 0 ? { result: 'found downstream' } : 'retry');
  return {
    lockSeconds: plan.lockSeconds,
    ...(plan.request === null ? {} : { fingerprint: { request: plan.request } }),
    ...(plan.style === 'heartbeat' ? { heartbeat: true } : {}),
    ...(plan.style === 'wait' ? { whenInProgress: 'wait', waitSeconds: 10 } : {}),
    ...(plan.style === 'fail' ? { onOrphan: 'fail' } : {}),
    ...(plan.style === 'reconcile' ? { onOrphan: reconcile } : {}),
    ...(plan.ends === 'remembers' ? { rememberError: (error) => error instanceof Refused } : {}),
  };
}

/** A class instance, so that it shows who got the stored likeness and who the object itself. */
class Receipt {
  constructor(
    readonly by: number,
    readonly attempt: number,
  ) {}
}

/** A work that does its effect last. */
async function work(process: Process, oracle: Oracle, run: Run): Promise<unknown> {
  const { plan, name } = process;
  const { signal, attempt } = run;
  oracle.workBegins(process);
  try {
    await process.step();
    await process.sleep(plan.workMilliseconds / 2);
    if (plan.style === 'extend') await run.extend(plan.lockSeconds);
    await process.sleep(plan.workMilliseconds / 2);
    await process.step();
    if (plan.obeys && signal.aborted) throw new Error('stopped');
    if (plan.ends === 'throws') throw new Error('failed');
    if (plan.ends === 'remembers') throw new Refused('declined');
    if (plan.style === 'commit') run.commit(COUNT);
    else oracle.effect(process);
    await process.step();
  } catch (error) {
    oracle.workThrows(process, error);
    throw error;
  }
  return plan.ends === 'unserialisable' ? () => name : new Receipt(name, attempt);
}

const COUNT: TransactItem = {
  Update: {
    TableName: EFFECTS,
    Key: { pk: KEY },
    UpdateExpression: 'SET #count = if_not_exists(#count, :zero) + :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':zero': 0, ':one': 1 },
  },
};
