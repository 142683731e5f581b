import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import type { RunOnceOptions } from '../../layer/call';
import {
  CommitRefusedError,
  KeyReusedError,
  LockLostError,
  OrphanedError,
  ResultUnavailableError,
} from '../../layer/errors';
import { type Observation, type Observer, tellerOf } from '../../layer/observer';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';
import { plain } from '../protocol-suite';

const outage = Object.assign(new Error('out'), { name: 'InternalServerError' });
const refused = Object.assign(new Error('refused'), { name: 'AccessDeniedException' });

/** Calls that share a table and a clock, and what they tell of themselves. */
function observed(faults: Partial<Table> = {}, observers: Observer[] = []) {
  const seen: Observation[] = [];
  const memory = new MemoryTable();
  const clock = new VirtualClock();
  const table: Table = { ...plain(memory), ...faults };
  const teller = tellerOf([(observation) => seen.push(observation), ...observers], 'orders', clock);
  const store = createStore(table, 'orders', clock);
  const runOnce = runOnceWith({ store, clock, keyPrefix: 'shop#', keepForSeconds: 60, teller });
  /** As `executed 1`. */
  const told = () => seen.splice(0).map(({ outcome, attempt }) => `${outcome} ${attempt}`);
  return { runOnce, clock, seen, told, table, items: memory.items('orders') };
}

const never = () => new Promise<never>(() => {});
const failure = (outcome: Promise<unknown>) => outcome.then(() => undefined).catch((error) => error);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

describe('an outcome', () => {
  it('names the key by a hash of what is stored, and says how long the call has taken', async () => {
    const { runOnce, clock, seen } = observed();
    await runOnce('charge#1042', 30, () => {
      clock.time += 250;
      return { card: '4242' };
    });
    const keyHash = createHash('sha256').update('shop#charge#1042').digest('hex').slice(0, 16);
    expect(seen).toEqual([{ outcome: 'executed', table: 'orders', keyHash, attempt: 1, milliseconds: 250 }]);
    expect(JSON.stringify(seen)).not.toMatch(/1042|4242/);
  });

  it('takes no negative time when the clock is set back', async () => {
    const { runOnce, clock, seen } = observed();
    await runOnce('k', 30, () => {
      clock.time -= 5000;
    });
    expect(seen).toMatchObject([{ milliseconds: 0 }]);
  });

  it('is executed for the first call, and replayed for the next', async () => {
    const { runOnce, told } = observed();
    await runOnce('k', 30, () => 'sent');
    await runOnce('k', 30, () => 'sent');
    expect(told()).toEqual(['executed 1', 'replayed 1']);
  });

  it('is in progress for a duplicate of a call that still runs', async () => {
    const { runOnce, told } = observed();
    void runOnce('k', 30, never);
    await failure(runOnce('k', 30, () => 'again'));
    expect(told()).toEqual(['inProgress 1']);
  });

  it('tells a wait and what it has come to', async () => {
    const { runOnce, told, clock, seen } = observed();
    const wait: RunOnceOptions = { lockSeconds: 30, whenInProgress: 'wait', waitSeconds: 5 };
    let finish = (_: string) => {};
    void runOnce('k', 30, () => new Promise<string>((resolve) => (finish = resolve)));
    const inVain = failure(runOnce('k', wait, () => 'again'));
    await clock.advance(6_000);
    await inVain;
    expect(seen[0]?.milliseconds).toBe(5_000);
    expect(told()).toEqual(['waited 1', 'inProgress 1']);
    const duplicate = runOnce('k', wait, () => 'again');
    await clock.advance(100);
    finish('sent');
    await clock.advance(4_000);
    expect(await duplicate).toBe('sent');
    expect(told()).toEqual(['executed 1', 'waited 1', 'replayed 1']);
  });

  it('tells a takeover before the work begins, which may be the death of a further process', async () => {
    const { runOnce, told, clock } = observed();
    void runOnce('k', 1, never);
    await clock.advance(2_001);
    const before = await runOnce('k', 30, () => told());
    expect(before).toEqual(['takenOver 2']);
    expect(told()).toEqual(['executed 2']);
  });

  it('is no takeover when a completed record has outlived its retention', async () => {
    const { runOnce, told, clock } = observed();
    await runOnce('k', 30, () => 'sent');
    await clock.advance(62_000);
    await runOnce('k', 30, () => 'again');
    expect(told()).toEqual(['executed 1', 'executed 2']);
  });

  it('tells a takeover also when the answer to the claim was lost', async () => {
    let lose = false;
    const memory = new MemoryTable();
    const table = plain(memory);
    const losing: Partial<Table> = {
      ...table,
      async update(input, signal) {
        const answer = await table.update(input, signal);
        // Sent again by the client, it meets its own record.
        if (!lose) return answer;
        lose = false;
        return table.update(input, signal);
      },
    };
    const { runOnce, told, clock } = observed(losing);
    lose = true;
    await runOnce('first', 30, () => 'sent');
    expect(told()).toEqual(['executed 1']);
    void runOnce('k', 1, never);
    await clock.advance(2_001);
    lose = true;
    await runOnce('k', 30, () => 'sent');
    expect(told()).toEqual(['takenOver 2', 'executed 2']);
  });

  it('is a lost lock for the call that was taken over, whatever it answers', async () => {
    const { runOnce, told, clock } = observed();
    let finish = (_: string) => {};
    const late = runOnce('k', 1, () => new Promise<string>((resolve) => (finish = resolve)));
    await clock.advance(2_001);
    await runOnce('k', 30, () => 'of the other');
    expect(told()).toEqual(['takenOver 2', 'executed 2']);
    finish('mine');
    expect(await late).toBe('of the other');
    expect(told()).toEqual(['lockLost 1', 'replayed 2']);
  });

  it('is a lost lock for work that gives up because of it', async () => {
    const { runOnce, told, clock } = observed();
    let extend = () => {};
    const late = failure(
      runOnce('k', 1, async (run) => {
        await new Promise<void>((resolve) => (extend = resolve));
        await run.extend(30);
      }),
    );
    await clock.advance(2_001);
    void runOnce('k', 30, never);
    await clock.advance(0);
    extend();
    expect(await late).toBeInstanceOf(LockLostError);
    expect(told()).toEqual(['takenOver 2', 'lockLost 1']);
  });

  it('is released when the work fails, and when its commit is refused', async () => {
    const { runOnce, told, items } = observed();
    await failure(runOnce('k', 30, () => Promise.reject(new Error('no funds'))));
    expect(told()).toEqual(['released 1']);
    const put = { TableName: 'orders', Item: { pk: 'x' }, ConditionExpression: 'attribute_exists(pk)' };
    expect(await failure(runOnce('k', 30, (run) => run.commit({ Put: put })))).toBeInstanceOf(
      CommitRefusedError,
    );
    expect(told()).toEqual(['released 1']);
    expect(items.size).toBe(0);
  });

  it('is executed when the work’s error is its outcome', async () => {
    const { runOnce, told } = observed();
    const options = { lockSeconds: 30, rememberError: () => true };
    const decline = () => Promise.reject(new Error('declined'));
    await failure(runOnce('k', options, decline));
    await failure(runOnce('k', options, decline));
    expect(told()).toEqual(['executed 1', 'replayed 1']);
  });

  it('is a result unavailable for the call that could not store it, and for each duplicate', async () => {
    const { runOnce, told } = observed();
    await runOnce('k', 30, () => () => 'a function');
    await failure(runOnce('k', 30, () => 'again'));
    expect(told()).toEqual(['executed 1', 'resultUnavailable 1', 'resultUnavailable 1']);
  });

  it('is a result unavailable, and no replay, where what is stored cannot be read', async () => {
    const told: string[] = [];
    const clock = new VirtualClock();
    const store = createStore(new MemoryTable(), 'orders', clock);
    const decode = () => {
      throw new Error('another key');
    };
    const runOnce = runOnceWith({
      store,
      clock,
      keyPrefix: '',
      keepForSeconds: 60,
      codec: { name: 'v1', encode: (bytes) => bytes, decode },
      teller: tellerOf([({ outcome, attempt }) => told.push(`${outcome} ${attempt}`)], 'orders', clock),
    });
    expect(await failure(runOnce('k', 30, () => 'sent'))).toBeInstanceOf(ResultUnavailableError);
    expect(told.splice(0)).toEqual(['executed 1', 'resultUnavailable 1']);
    expect(await failure(runOnce('k', 30, () => 'again'))).toBeInstanceOf(ResultUnavailableError);
    expect(told).toEqual(['resultUnavailable 1']);
  });

  it.each<[string, Partial<Table>, string[]]>([
    ['the claim', { update: () => Promise.reject(refused) }, ['storeError 0']],
    ['the release', { delete: () => Promise.reject(refused) }, ['storeError 1']],
  ])('is a store error when %s fails', async (_, faults, expected) => {
    const { runOnce, told } = observed(faults);
    await failure(runOnce('k', 30, () => Promise.reject(new Error('no funds'))));
    expect(told()).toEqual(expected);
  });

  it('is a store error when the completion fails, once for all its tries', async () => {
    const { runOnce, told, clock, table } = observed();
    const call = failure(
      runOnce('k', 30, () => {
        table.update = () => Promise.reject(outage);
      }),
    );
    await clock.advance(40_000);
    await call;
    expect(told()).toEqual(['storeError 1']);
  });

  it('is a store error when the wait cannot look', async () => {
    const { runOnce, told, clock } = observed({ get: () => Promise.reject(refused) });
    void runOnce('k', 30, never);
    const waiting = failure(runOnce('k', { lockSeconds: 30, whenInProgress: 'wait' }, () => 'again'));
    await clock.advance(1_000);
    await waiting;
    expect(told()).toEqual(['storeError 1']);
  });

  it('is none for a call that is refused, and for the trouble of a table that the work uses', async () => {
    const { runOnce, told, clock } = observed();
    await runOnce('k', { lockSeconds: 30, fingerprint: 1 }, () => 'sent');
    told();
    const reused = runOnce('k', { lockSeconds: 30, fingerprint: 2 }, () => 'sent');
    expect(await failure(reused)).toBeInstanceOf(KeyReusedError);
    void runOnce('orphan', { lockSeconds: 1, onOrphan: 'fail' }, never);
    await clock.advance(2_001);
    const orphaned = runOnce('orphan', { lockSeconds: 1, onOrphan: 'fail' }, () => 'sent');
    expect(await failure(orphaned)).toBeInstanceOf(OrphanedError);
    expect(told()).toEqual([]);
    const other = observed({ update: () => Promise.reject(refused) });
    await failure(runOnce('outer', 30, () => other.runOnce('inner', 30, () => 'sent')));
    expect(other.told()).toEqual(['storeError 0']);
    expect(told()).toEqual(['released 1']);
  });
});

describe('an observer', () => {
  const broken: [string, Observer][] = [
    [
      'throws',
      () => {
        throw new TypeError('card 4242');
      },
    ],
    ['throws no error', () => Promise.reject(undefined)],
    ['rejects', () => Promise.reject(new TypeError('card 4242'))],
    ['hangs', never],
    [
      'writes over what it is told',
      (observation) => Object.assign(observation, { outcome: 'replayed', attempt: 9 }),
    ],
    [
      'returns what only looks like a promise',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: that is what is tried.
        get then() {
          throw new TypeError('card 4242');
        },
      }),
    ],
  ];

  it.each(broken)('that %s changes no call', async (_, observer) => {
    const { runOnce, seen, told } = observed({}, [observer]);
    expect(await runOnce('k', 30, () => 'sent')).toBe('sent');
    expect(await runOnce('k', 30, () => 'again')).toBe('sent');
    const failed = new Error('no funds');
    expect(await failure(runOnce('other', 30, () => Promise.reject(failed)))).toBe(failed);
    expect(seen).toHaveLength(3);
    expect(told()).toEqual(['executed 1', 'replayed 1', 'released 1']);
  });

  it('that throws what cannot even be named leaves no rejection unhandled', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const nameless: Observer = () => {
      throw { name: Symbol('card 4242') };
    };
    const { runOnce } = observed({}, [nameless]);
    expect(await runOnce('k', 30, () => 'sent')).toBe('sent');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('that fails is reported once, without what its error says', async () => {
    const failing = observed({}, [broken[0]?.[1] as Observer]);
    await failing.runOnce('k', 30, () => 'sent');
    await failing.runOnce('k', 30, () => 'again');
    expect(process.emitWarning).toHaveBeenCalledTimes(1);
    expect(process.emitWarning).toHaveBeenCalledWith(
      'An observer threw TypeError. No call is changed by it.',
      {
        type: 'IdempotencyWarning',
        code: 'IDEMPOTENCY_OBSERVER',
      },
    );
  });
});
