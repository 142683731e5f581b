import { jest } from '@jest/globals';
import { METRICS, type Observer, type Outcome, tellerOf } from '../../layer/observer';
import { type Parts, type RunOnce, runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import { hunt } from './hunt';
import { layerSubject } from './layer-subject';
import { type Subject, TABLE } from './world';

const SCHEDULES = 1_500;

// Each in a way of its own; whatever comes of it, no call may differ.
const broken: Observer[] = [
  () => {
    throw new Error('thrown by an observer');
  },
  () => Promise.reject(new Error('rejected by an observer')),
  () => new Promise(() => {}),
  (observation) => Object.assign(observation, { outcome: 'executed', attempt: 99 }),
];

/** A call that has ended: what it told, whether its work threw, and the name of the error that it threw. */
interface Ended {
  told: Outcome[];
  workThrew: boolean;
  error?: string;
}

/** The layer with all of these observers, and a list of the calls that have ended. */
function observedLayer(ended: Ended[]): Subject {
  let call: Ended;
  const observed = (parts: Parts): RunOnce => {
    const mine = call;
    const note: Observer = ({ outcome }) => mine.told.push(outcome);
    const runOnce = runOnceWith({ ...parts, teller: tellerOf([...broken, note], TABLE, parts.clock) });
    return (key, lock, work) =>
      runOnce(key, lock, async (run) => {
        try {
          return await work(run);
        } catch (error) {
          mine.workThrew = true;
          throw error;
        }
      });
  };
  const layer = layerSubject('observed', { runOnceWith: observed, createStore });
  return {
    name: layer.name,
    async call(process, oracle) {
      const mine: Ended = { told: [], workThrew: false };
      call = mine;
      try {
        return await layer.call(process, oracle);
      } catch (error) {
        mine.error = (error as Error).name;
        throw error;
      } finally {
        ended.push(mine);
      }
    },
  };
}

/** What a call that has ended like this can have told last. */
function lastOf({ told, workThrew, error }: Ended): (Outcome | undefined)[] {
  if (workThrew) return ['released', 'executed', 'lockLost', 'storeError'];
  switch (error) {
    case undefined:
      return told.includes('resultUnavailable') ? ['resultUnavailable'] : ['executed', 'replayed'];
    case 'Refused':
      return ['replayed'];
    case 'StillInProgressError':
      return ['inProgress'];
    case 'StoreError':
      return ['storeError'];
    case 'LockLostError':
      return ['lockLost', 'released', 'storeError'];
    case 'ResultUnavailableError':
      return ['resultUnavailable'];
    default:
      // The request is refused: what is told then was on the way to it.
      return [undefined, 'waited', 'lockLost'];
  }
}

it('each invariant holds whatever its observers do, and each call tells how it has ended', async () => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const ended: Ended[] = [];
  try {
    const { violations, schedule } = await hunt(observedLayer(ended), 7, SCHEDULES);
    expect({ violations, schedule }).toEqual({ violations: [], schedule: undefined });
  } finally {
    process.off('unhandledRejection', unhandled);
    warned.mockRestore();
  }
  expect(unhandled).not.toHaveBeenCalled();
  expect(ended.filter((call) => !lastOf(call).includes(call.told.at(-1)))).toEqual([]);
  expect(new Set(ended.flatMap(({ told }) => told))).toEqual(new Set(Object.keys(METRICS)));
});
