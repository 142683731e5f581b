import type { Clock } from '../../layer/clock';
import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';
import { Oracle } from './oracle';
import type { Caller, Schedule, Send } from './schedule';

export const TABLE = 'records';
export const EFFECTS = 'effects';
export const KEY = 'order#1';

/** How many sends the client itself makes of one operation, and how long it waits for each. */
const CLIENT_TRIES = 3;
const CLIENT_TIMEOUT = 1000;
const CLIENT_BACKOFF = 100;

/** What was done to the callers, over all schedules. */
export type Faults = Record<string, number>;

/** One caller's process: its clock, its way to the table, and whether it still lives. */
export interface Process {
  plan: Caller;
  name: number;
  clock: Clock;
  table: Table;
  /** Sends an operation the way that the table's go. */
  send<T>(carryOut: (sentAt: number) => Promise<T>): Promise<T>;
  /** An await of the process; it never returns from the one at which it dies. */
  step(): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
  dead: boolean;
  /** Whether an operation failed for good, so that an error is due. */
  failed: boolean;
  /** Whether a send of it arrives after it was given up: a late claim then locks the key for nobody, until it ends. */
  late: boolean;
}

/** A library under test: makes the call that the plan asks for. */
export interface Subject {
  name: string;
  call(process: Process, oracle: Oracle): Promise<unknown>;
}

/** Plays a schedule to its end and says which invariants it violated. */
export async function play(schedule: Schedule, subject: Subject, faults: Faults = {}): Promise<string[]> {
  const clock = new VirtualClock();
  const start = clock.now();
  const memory = new MemoryTable();
  const oracle = new Oracle(memory, clock);
  const count = (fault: string) => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };

  for (const at of schedule.sweeps) {
    clock.after(at, () => {
      const item = memory.items(TABLE).get(KEY);
      if (!item || (item.expiresAt as number) >= Math.floor(clock.now() / 1000)) return;
      memory.items(TABLE).delete(KEY);
      count('swept by TTL');
    });
  }
  for (const [name, plan] of schedule.callers.entries()) {
    clock.after(plan.arrives, () => {
      const process = processOf(name, plan, clock, memory, oracle, count);
      if (plan.skew !== 0) count('clock skew');
      oracle.called(process);
      subject.call(process, oracle).then(
        (value) => oracle.settled(process, { value }),
        (error) => oracle.settled(process, { error }),
      );
    });
  }
  await clock.advance(start + 600_000 - clock.now());

  // Whatever died has let go of the key by now: a caller to whom nothing happens gets its answer.
  const probe = processOf(schedule.callers.length, PROBE, clock, memory, oracle, count);
  oracle.called(probe);
  const outcome = subject.call(probe, oracle).then(
    (value) => oracle.settled(probe, { value }),
    (error) => oracle.settled(probe, { error }),
  );
  await clock.run(clock.now() + 60_000);
  await outcome;
  return oracle.verdict();
}

const PROBE: Caller = {
  arrives: 0,
  skew: 0,
  lockSeconds: 30,
  workMilliseconds: 0,
  style: 'plain',
  ends: 'returns',
  obeys: true,
  request: null,
  crash: 0,
  network: [],
};

const SMOOTH: Send = { there: 2, back: 2, fault: 'none' };

export function processOf(
  name: number,
  plan: Caller,
  world: VirtualClock,
  memory: MemoryTable,
  oracle: Oracle | undefined,
  count: (fault: string) => void,
): Process {
  let steps = 0;
  let sends = 0;
  let seed = name + 1;
  const process: Process = {
    plan,
    name,
    dead: false,
    failed: false,
    late: false,
    clock: {
      now: () => world.now() + plan.skew,
      after: (milliseconds, callback) => world.after(milliseconds, () => process.dead || callback()),
      random: () => {
        seed = (seed * 48271) % 2147483647;
        return seed / 2147483647;
      },
    },
    async step() {
      if (process.dead || ++steps === plan.crash) {
        if (!process.dead) count('crash');
        process.dead = true;
        await new Promise(() => {});
      }
    },
    sleep: (milliseconds) => new Promise((resolve) => void process.clock.after(milliseconds, resolve)),
    send: operation,
    table: {
      update: (input) => observed(() => memory.update(input)),
      delete: (input) => observed(() => memory.delete(input)),
      get: (input) => operation(() => memory.get(input)),
      transact: (items, token) => observed(() => memory.transact(items, token), true),
    },
  };

  const observed = <T>(apply: () => Promise<T>, transacted = false): Promise<T> =>
    operation((sentAt) => (oracle ? oracle.watch(process, sentAt, apply, transacted) : apply()));

  /** As the SDK does it: sent again while it fails, on its way for a while each time. */
  async function operation<T>(carryOut: (sentAt: number) => Promise<T>): Promise<T> {
    const sentAt = process.clock.now();
    const apply = () => carryOut(sentAt);
    for (let tries = 0; tries < CLIENT_TRIES; tries++) {
      await process.step();
      const { there, back, fault } = plan.network[sends++] ?? SMOOTH;
      if (fault !== 'none') count(fault);
      if (fault === 'lost-before') {
        await process.sleep(CLIENT_TIMEOUT);
        continue;
      }
      if (fault === 'delayed') {
        // It arrives whatever becomes of its sender.
        process.late = true;
        world.after(CLIENT_TIMEOUT + there * 10, () => void apply());
        await process.sleep(CLIENT_TIMEOUT);
        continue;
      }
      if (fault === 'throttled') {
        await process.sleep(there + back + CLIENT_BACKOFF * 2 ** tries);
        continue;
      }
      let answer: T | undefined;
      let arrived = false;
      world.after(there, () => {
        arrived = true;
        void apply().then((value) => (answer = value));
      });
      await process.sleep(there + 1);
      await process.step();
      if (fault === 'lost-after' || !arrived) {
        await process.sleep(CLIENT_TIMEOUT);
        continue;
      }
      await process.sleep(back);
      return answer as T;
    }
    process.failed = true;
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  }

  return process;
}
