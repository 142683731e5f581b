/**
 * Real processes, killed at random, over a network that loses what is sent: 8 workers and the built layer on the
 * emulator. `SEED=2 npm run jest -- --selectProjects processes` makes other choices; the scheduling of processes is
 * never the same twice.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { type AttributeValue, toItem } from '../../layer/attribute-value';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { type Fate, type FaultyProxy, startFaultyProxy } from '../../scripts/faulty-proxy';
import { createTable } from '../protocol/create-table';
import { between, chance } from './chance';
import { type Delivery, Fleet, type Message } from './fleet';

const SEED = Number(process.env.SEED ?? 1);
const KEYS = 5_000;
const WORKERS = 8;
const MOST_DELIVERIES = 5;
const LOST_RESPONSES = 0.05;
const LOST_REQUESTS = 0.02;
const MILLISECONDS_BETWEEN_KILLS = { least: 300, most: 1_200 };

/** Seconds. A committed effect stands the loss of the lock, and some of its runs stall until it is lost. */
const LOCKS = { plain: 3, commit: 1 };
const STALLS = 0.05;
const STALL_MILLISECONDS = 4_000;

// Many times what the longest lock takes to end.
const STUCK_AFTER_SECONDS = 45;

/** Duplicates lie up to this many keys apart, so that some meet a run and others its result. */
const SPREAD = 40;

let emulator: Emulator;
let proxy: FaultyProxy;
let fleet: Fleet;
let folder: string;
let records: Map<string, Record<string, unknown>>;
let counts: Map<string, Record<string, unknown>>;
let effects: Map<string, number[]>;

const messages = messagesOf(SEED);
const keysOf = (effect: Message['effect']) => [
  ...new Set(messages.filter((message) => message.effect === effect).map(({ key }) => key)),
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'processes-'));
  const log = join(folder, 'effects.jsonl');
  emulator = await startEmulator();
  proxy = await startFaultyProxy(emulator.endpoint, fateOf);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  await createTable(client, 'records');
  await createTable(client, 'counts');

  fleet = new Fleet(messages, WORKERS, deliveryOf, {
    PATH: process.env.PATH,
    ...emulator.env,
    AWS_ENDPOINT_URL: proxy.endpoint,
    IDEMPOTENCY_TABLE: 'records',
    COUNTS_TABLE: 'counts',
    EFFECTS_LOG: log,
  });
  await killAtRandomUntilDone();
  await fleet.stop();

  records = await itemsOf(client, 'records');
  counts = await itemsOf(client, 'counts');
  effects = effectsIn(log);
  client.destroy();
  say(inspect(figures()));
}, 600_000);

afterAll(async () => {
  await proxy?.stop();
  await emulator?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('leaves nothing stuck: every message is answered, every record completed', () => {
  expect(fleet.unanswered).toBe(0);
  const stuck = [...records.values()].filter(({ status }) => status !== 'COMPLETED');
  expect(stuck).toEqual([]);
  expect(records.size).toBe(KEYS);
});

it('completes each key once: all its answers are one, and it is the one in the record', () => {
  const wrong = [...fleet.answers].filter(
    ([key, [answer, ...others]]) => others.length > 0 || records.get(key)?.result !== String(answer),
  );
  expect(wrong).toEqual([]);
  expect(fleet.answers.size).toBe(KEYS);
});

it('runs a plain effect once, and once more for each kill between the effect and its completion', () => {
  const wrong = keysOf('plain').filter((key) => {
    const runs = effects.get(key) ?? [];
    return runs.length < 1 || runs.length > 1 + killsBeforeCompletion(key);
  });
  expect(wrong).toEqual([]);
});

it('has a committed effect exactly once', () => {
  const wrong = keysOf('commit').filter((key) => counts.get(key)?.count !== 1);
  expect(wrong).toEqual([]);
  expect(counts.size).toBe(keysOf('commit').length);
});

it('fails a delivery only for what redelivery cures, and no worker by itself', () => {
  expect(fleet.crashes).toEqual([]);
  expect(['LOCK_LOST', 'STILL_IN_PROGRESS', 'STORE']).toEqual(
    expect.arrayContaining(Object.keys(fleet.errors)),
  );
});

it('has been through it: kills, lost requests, responses and locks, takeovers, effects that were run again', () => {
  const { kills, lostResponses, lostRequests, lostLocks, takeovers, plainEffectsBeyondOne } = figures();
  const faults = { kills, lostResponses, lostRequests, lostLocks, takeovers, plainEffectsBeyondOne };
  expect(Object.entries(faults).filter(([, count]) => count === 0)).toEqual([]);
});

/** Half of the keys have a plain effect, half a committed one. */
function messagesOf(seed: number): Message[] {
  const placed = Array.from({ length: KEYS }, (_, index) => {
    const message: Message = { key: `order#${index}`, effect: index % 2 === 0 ? 'plain' : 'commit' };
    return Array.from({ length: between(1, MOST_DELIVERIES, chance(seed, index)) }, (_, nth) => ({
      place: index + chance(seed, index, nth) * SPREAD,
      message,
    }));
  });
  return placed
    .flat()
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
}

function deliveryOf(message: Message, id: number): Delivery {
  const stalls = message.effect === 'commit' && chance(SEED, 'stall', id) < STALLS;
  return {
    ...message,
    id,
    lockSeconds: LOCKS[message.effect],
    millisecondsBefore: between(0, 20, chance(SEED, 'before', id)),
    millisecondsAfter: stalls ? STALL_MILLISECONDS : between(0, 60, chance(SEED, 'after', id)),
  };
}

function fateOf(n: number): Fate {
  const chosen = chance(SEED, 'fate', n);
  if (chosen < LOST_RESPONSES) return 'lost-response';
  return chosen < LOST_RESPONSES + LOST_REQUESTS ? 'lost-request' : 'answered';
}

async function killAtRandomUntilDone(): Promise<void> {
  let last = { unanswered: fleet.unanswered, at: Date.now() };
  for (let kill = 0; fleet.unanswered > 0 && Date.now() - last.at < STUCK_AFTER_SECONDS * 1000; kill++) {
    const { least, most } = MILLISECONDS_BETWEEN_KILLS;
    await sleep(between(least, most, chance(SEED, 'kill', kill, 'after')));
    fleet.kill(between(0, WORKERS - 1, chance(SEED, 'kill', kill, 'worker')));
    // What crashes would only crash again.
    if (fleet.crashes.length > 0) return;
    if (fleet.unanswered < last.unanswered) last = { unanswered: fleet.unanswered, at: Date.now() };
    if (kill % 10 === 0)
      say(
        `${messages.length - fleet.unanswered} of ${messages.length} messages answered, ${fleet.kills} kills`,
      );
  }
}

/** Runs of a key that had their effect and were killed before their completion: the others have an answer. */
function killsBeforeCompletion(key: string): number {
  const runs = effects.get(key) ?? [];
  return runs.filter((delivery) => fleet.killed.has(delivery) && !fleet.answers.get(key)?.has(delivery))
    .length;
}

function figures() {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    seed: SEED,
    keys: KEYS,
    messages: messages.length,
    deliveries: fleet.deliveries,
    kills: fleet.kills,
    killedDeliveries: fleet.killed.size,
    lostResponses: proxy.counts['lost-response'],
    lostRequests: proxy.counts['lost-request'],
    lostLocks: fleet.overtaken,
    takeovers: sum([...records.values()].map(({ attempt }) => Number(attempt) - 1)),
    failedDeliveries: fleet.errors,
    plainEffectsBeyondOne: sum([...effects.values()].map((runs) => runs.length - 1)),
    killsBetweenEffectAndCompletion: sum(keysOf('plain').map(killsBeforeCompletion)),
    committedEffectsBeyondOne: sum([...counts.values()].map(({ count }) => Number(count) - 1)),
  };
}

async function itemsOf(client: DynamoDBClient, table: string) {
  const items = new Map<string, Record<string, unknown>>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    for (const item of Items) items.set(String(item.pk?.S), toItem(item as Record<string, AttributeValue>));
  }
  return items;
}

/** The deliveries that had the effect, of each key. */
function effectsIn(log: string): Map<string, number[]> {
  const effects = new Map<string, number[]>();
  for (const line of readFileSync(log, 'utf8').trimEnd().split('\n')) {
    const { key, by } = JSON.parse(line) as { key: string; by: number };
    effects.set(key, [...(effects.get(key) ?? []), by]);
  }
  return effects;
}

/** Past jest, which holds back what tests print until they end. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
