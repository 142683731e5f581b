import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { toAttributes, toItem } from '../../layer/attribute-value';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { Item } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';
import { BlackBox } from './black-box';
import { type Caller, type Schedule, schedules } from './schedule';
import { KEY, type Process, processOf, TABLE } from './world';

type RunOnce = (key: string, lockSeconds: number, work: () => Promise<unknown>) => Promise<unknown>;

/** A library as its documentation sets it up, over the table of the harness. */
export type Peer = (process: Process, memory: MemoryTable) => RunOnce;

const bench = join(import.meta.dirname, '../../bench');

// Clocks agree and every caller asks the same: what no peer claims to handle is left out.
const gentle: fc.Arbitrary<Schedule> = schedules.map(({ callers, sweeps }) => ({
  sweeps,
  callers: callers.map((caller) => ({ ...caller, skew: 0, request: null, style: 'plain' as const })),
}));

/** Plays schedules against a peer until there are enough of them, and counts those that violate each invariant. */
export async function judge(peer: Peer, seed: number, numRuns: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const now = Date.now;
  try {
    for (const schedule of fc.sample(gentle, { seed, numRuns })) {
      for (const violation of await playPeer(schedule, peer))
        counts[violation] = (counts[violation] ?? 0) + 1;
    }
  } finally {
    Date.now = now;
  }
  return counts;
}

async function playPeer(schedule: Schedule, peer: Peer): Promise<Set<string>> {
  const clock = new VirtualClock();
  Date.now = () => clock.now();
  const memory = new MemoryTable();
  const box = new BlackBox(clock);

  const begin = (number: number, plan: Caller, isProbe: boolean) => {
    const process = processOf(number, plan, clock, memory, undefined, () => {});
    const call = box.called(process);
    const work = async () => {
      box.workBegins(call);
      await process.step();
      await process.sleep(plan.workMilliseconds);
      await process.step();
      if (plan.ends === 'throws') {
        const error = new Error('failed');
        box.workEnds(call, error);
        throw error;
      }
      box.workEnds(call);
      return plan.ends === 'unserialisable' ? 12n : { by: number };
    };
    return peer(process, memory)(KEY, plan.lockSeconds, work).then(
      (value) => box.settled(call, { value }, isProbe),
      (error) => box.settled(call, { error }, isProbe),
    );
  };

  for (const at of schedule.sweeps) {
    clock.after(at, () => {
      const item = memory.items(TABLE).get(KEY);
      // The TTL attribute, by this layer's name or Powertools'.
      const expiry = item?.expiresAt ?? item?.expiration;
      if (typeof expiry === 'number' && expiry < clock.now() / 1000) memory.items(TABLE).delete(KEY);
    });
  }
  for (const [number, plan] of schedule.callers.entries()) {
    clock.after(plan.arrives, () => void begin(number, plan, false));
  }
  await clock.advance(600_000);
  const probe: Caller = {
    ...(schedule.callers[0] as Caller),
    network: [],
    crash: 0,
    ends: 'returns',
    workMilliseconds: 0,
  };
  void begin(schedule.callers.length, probe, true);
  await clock.advance(60_000);
  return box.violations;
}

export const ours: Peer = ({ table, clock }) => {
  const store = createStore(table, TABLE, clock);
  return runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 86_400 });
};

/** The classic code and Powertools, from where they are installed. */
export async function installedPeers(): Promise<{ classic: Peer; powertools: Peer }> {
  const sdk = createRequire(join(bench, 'package.json'))('@aws-sdk/client-dynamodb');
  const { classicRunOnce } = await import(pathToFileURL(join(bench, 'classic.js')).href);
  const { powertoolsRunOnce } = await import(pathToFileURL(join(bench, 'powertools.js')).href);
  return {
    classic: (process, memory) => classicRunOnce(clientOver(process, memory, sdk), TABLE),
    powertools: (process, memory) => powertoolsRunOnce(clientOver(process, memory, sdk), TABLE),
  };
}

interface Sdk {
  DynamoDBClient: new (config: object) => { send: unknown };
  ConditionalCheckFailedException: new (options: object) => Error;
}

/** A client of the SDK whose commands reach the table of the harness. */
function clientOver(process: Process, memory: MemoryTable, sdk: Sdk): { send: unknown } {
  const client = new sdk.DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  client.send = async ({ constructor: { name }, input }: { constructor: { name: string }; input: Item }) => {
    const plainInput = { ...input } as Record<string, unknown>;
    for (const place of ['Key', 'Item', 'ExpressionAttributeValues']) {
      if (input[place]) plainInput[place] = toItem(input[place] as never);
    }
    if (name === 'GetItemCommand') {
      const item = await process.send(() => memory.get(plainInput as never));
      return { Item: item && toAttributes(item) };
    }
    const operation = name.replace('ItemCommand', '');
    const answer = await process.send(async () => memory.write({ [operation]: plainInput } as never));
    if (answer.written) return {};
    throw new sdk.ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      Item: answer.found && toAttributes(answer.found),
    });
  };
  return client;
}
