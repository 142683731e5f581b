import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import {
  CommitRefusedError,
  ConfigurationError,
  IdempotencyError,
  KeyReusedError,
  LockLostError,
  OrphanedError,
  ResultUnavailableError,
  StillInProgressError,
} from '../layer/errors';
import type { OnOrphan } from '../layer/orphan';
import type { Run } from '../layer/run';
import { type RunOnce, runOnceWith } from '../layer/run-once';
import { createStore } from '../layer/store';
import type { Item, Table, TransactItem } from '../layer/table';

/** A table under test, and a way to look at its items and to lay some that other code wrote. */
export interface TableUnderTest {
  table: Table;
  tableName: string;
  read(key: string): Promise<Item | undefined>;
  put(item: Item & { pk: string }): Promise<void>;
  remove(key: string): Promise<void>;
  /** For writes of the work's own: another table, with the same key. */
  effects?: { tableName: string; read(key: string): Promise<Item | undefined> };
}

/** The protocol's invariants, the same on every table. Time is the suite's own, so that no test waits for it. */
export function describeProtocol(where: string, prepare: () => Promise<TableUnderTest>): void {
  describe(`the protocol on ${where}`, () => {
    let under: TableUnderTest;
    let key: string;
    let now: number;
    let runOnce: RunOnce;
    let count = 0;

    beforeAll(async () => {
      under = await prepare();
    });

    beforeEach(() => {
      key = `case#${++count}`;
      // Within a second, so that rounding shows.
      now = 1_800_000_000_400;
      runOnce = callers();
    });

    /** A function's own `runOnce`; `table` puts a fault between it and the table. */
    function callers(table: Table = under.table): RunOnce {
      const clock = { now: () => now, after: () => () => {}, random: () => 0 };
      return runOnceWith({
        store: createStore(table, under.tableName, clock),
        clock,
        keyPrefix: '',
        keepForSeconds: 60,
      });
    }

    const seconds = (count: number) => count * 1000;

    /** Starts a call whose work waits to be told how it ends. */
    async function start(lockSeconds: number, by = runOnce) {
      let finish!: (value: unknown) => void;
      let fail!: (error: Error) => void;
      const attempt = await new Promise<number>((resolve, reject) => {
        const outcome = by(key, lockSeconds, (run) => {
          resolve(run.attempt);
          return new Promise((settle, refuse) => {
            finish = settle;
            fail = refuse;
          });
        });
        outcome.catch(reject);
        promise = outcome;
      });
      return { attempt, outcome: promise, finish, fail };
    }
    let promise: Promise<unknown>;

    it('runs the work once and replays its result, with two writes and then one', async () => {
      const work = jest.fn(() => ({ sent: true, lines: [1, 2] }));
      await expect(runOnce(key, 30, work)).resolves.toStrictEqual({ sent: true, lines: [1, 2] });
      await expect(runOnce(key, 30, work)).resolves.toStrictEqual({ sent: true, lines: [1, 2] });
      expect(work).toHaveBeenCalledTimes(1);
      expect(await under.read(key)).toEqual({
        pk: key,
        status: 'COMPLETED',
        expiresAt: 1_800_000_061,
        owner: expect.stringMatching(/^[0-9a-f-]{36}$/),
        attempt: 1,
        result: '{"sent":true,"lines":[1,2]}',
      });
    });

    it('R2: refuses every duplicate while the first runs, and none of them releases the lock', async () => {
      const first = await start(30);
      for (let duplicate = 0; duplicate < 3; duplicate++) {
        await expect(runOnce(key, 30, () => 'again')).rejects.toThrow(StillInProgressError);
      }
      first.finish('done');
      await expect(first.outcome).resolves.toBe('done');
    });

    it('says when to retry: no sooner than the lock ends', async () => {
      await start(30);
      now += seconds(10);
      await expect(runOnce(key, 30, () => 'again')).rejects.toMatchObject({
        code: 'STILL_IN_PROGRESS',
        retryAfterSeconds: 22,
      });
      now += seconds(22);
      await expect(runOnce(key, 30, () => 'again')).resolves.toBe('again');
    });

    it('R15: of 50 calls started in the same tick, exactly one runs', async () => {
      const work = jest.fn(async () => {
        await sleep(20);
        return 'ran';
      });
      const calls = Array.from({ length: 50 }, () => runOnce(key, 30, work));
      const outcomes = await Promise.allSettled(calls);
      expect(work).toHaveBeenCalledTimes(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StillInProgressError);
        else expect(outcome.value).toBe('ran');
      }
    });

    it('R3, R7: takes over a lock that has ended, not a millisecond sooner, and counts the attempt', async () => {
      const first = await start(30);
      expect(first.attempt).toBe(1);
      now += seconds(30) - 1;
      await expect(runOnce(key, 30, () => 'too soon')).rejects.toThrow(StillInProgressError);
      now += seconds(2);
      await expect(runOnce(key, 30, (run) => run.attempt)).resolves.toBe(2);
    });

    it('invariant 2: a stale run answers with the newer result and changes nothing in it', async () => {
      const stale = await start(30);
      now += seconds(32);
      await expect(runOnce(key, 30, () => 'newer')).resolves.toBe('newer');
      const record = await under.read(key);
      stale.finish('stale');
      await expect(stale.outcome).resolves.toBe('newer');
      expect(await under.read(key)).toEqual(record);
    });

    it('invariant 2: a stale run whose record is held by another says that its lock is lost', async () => {
      const stale = await start(30);
      now += seconds(32);
      const newer = await start(30);
      stale.finish('stale');
      await expect(stale.outcome).rejects.toThrow(LockLostError);
      newer.finish('newer');
      await expect(newer.outcome).resolves.toBe('newer');
    });

    it('invariant 2: a stale run that fails releases nothing of the newer one', async () => {
      const stale = await start(30);
      now += seconds(32);
      await start(30);
      const record = await under.read(key);
      stale.fail(new Error('late'));
      await expect(stale.outcome).rejects.toThrow('late');
      expect(await under.read(key)).toEqual(record);
    });

    it('completes late when nobody has taken over', async () => {
      const late = await start(30);
      now += seconds(300);
      late.finish('late');
      await expect(late.outcome).resolves.toBe('late');
      await expect(runOnce(key, 30, () => 'again')).resolves.toBe('late');
    });

    it('completes though TTL has deleted the ended lock, and keeps the work from running again', async () => {
      const late = await start(30);
      now += seconds(300);
      await under.remove(key);
      late.finish('late');
      await expect(late.outcome).resolves.toBe('late');
      await expect(runOnce(key, 30, () => 'again')).resolves.toBe('late');
      expect(await under.read(key)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    });

    it.each(['claim', 'complete', 'release'] as const)(
      'R14: a %s whose response was lost and that is sent again counts once',
      async (step) => {
        const work = jest.fn((run: { attempt: number }) => {
          if (step === 'release') throw new Error('declined');
          return run.attempt;
        });
        const outcome = callers(resending(step))(key, 30, work);
        if (step === 'release') await expect(outcome).rejects.toThrow('declined');
        else await expect(outcome).resolves.toBe(1);
        expect(work).toHaveBeenCalledTimes(1);
        if (step === 'release') expect(await under.read(key)).toBeUndefined();
        else await expect(runOnce(key, 30, () => 'again')).resolves.toBe(1);
      },
    );

    /** The client's own retry: the write has its effect, its response is lost, and it is sent again. */
    function resending(step: 'claim' | 'complete' | 'release'): Table {
      let updates = 0;
      return {
        ...plain(under.table),
        update: async (input) => {
          const current = ++updates === 1 ? 'claim' : 'complete';
          if (current === step) await under.table.update(input);
          return under.table.update(input);
        },
        delete: async (input) => {
          if (step === 'release') await under.table.delete(input);
          return under.table.delete(input);
        },
      };
    }

    it('releases after a failure, so that a retry runs at once', async () => {
      await expect(
        runOnce(key, 30, () => {
          throw new TypeError('declined');
        }),
      ).rejects.toThrow(new TypeError('declined'));
      expect(await under.read(key)).toBeUndefined();
      await expect(runOnce(key, 30, (run) => run.attempt)).resolves.toBe(1);
    });

    it.each([0, '', false, null, [], {}, [[]], 'text', { a: { b: [null, 1.5, 'ü'] } }])(
      'R12: replays %j exactly',
      async (value) => {
        await expect(runOnce(key, 30, () => value)).resolves.toStrictEqual(value);
        await expect(runOnce(key, 30, () => 'again')).resolves.toStrictEqual(value);
      },
    );

    describe('R19: a result of', () => {
      const noise = (bytes: number) => randomBytes(bytes * 0.75).toString('base64');
      it.each([
        ['399 KB', () => 'x'.repeat(399 * 1024)],
        ['399 KB of noise', () => noise(399 * 1024)],
        ['401 KB', () => 'x'.repeat(401 * 1024)],
        ['600 KB of noise', () => noise(600 * 1024)],
        ['5 MB', () => 'x'.repeat(5 * 1024 * 1024)],
        ['5 MB of noise', () => noise(5 * 1024 * 1024)],
      ])('%s never makes the work run again', async (_, make) => {
        const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
        const result = make();
        const work = jest.fn(() => result);
        await expect(runOnce(key, 30, work)).resolves.toBe(result);
        const replay = await runOnce(key, 30, work).catch((error) => error);
        if (replay !== result) expect(replay).toBeInstanceOf(ResultUnavailableError);
        expect(replay === result).toBe(warned.mock.calls.length === 0);
        expect(work).toHaveBeenCalledTimes(1);
        warned.mockRestore();
      });
    });

    it.each([
      [new Date(0)],
      [new Map([['a', new Set([1])]])],
      [{ nested: [undefined, -0, Number.NaN, 12n, /x/g] }],
      [Buffer.from('bytes')],
      [new TypeError('no', { cause: new Error('why') })],
    ])('R11: answers the first caller and every later one with the same %p', async (value) => {
      const first = await runOnce(key, 30, () => value);
      const later = await runOnce(key, 30, () => 'again');
      expect(first).toEqual(value);
      expect(later).toStrictEqual(first);
    });

    it('R3: takes nothing over from a record that was completed after it had been seen as ended', async () => {
      const first = await start(30);
      now += seconds(32);
      const slow = callers({
        ...plain(under.table),
        update: async (input) => {
          // The claim is on its way, made of what was known when it was sent; meanwhile the first run completes.
          first.finish('first');
          await first.outcome;
          return under.table.update(input);
        },
      });
      await expect(slow(key, 30, () => 'second')).resolves.toBe('first');
    });

    it('R13: knows a request by its fields, in whatever order, and by their types', async () => {
      const pay = (fingerprint: object) => runOnce(key, { lockSeconds: 30, fingerprint }, () => 'paid');
      await pay({ a: 1, b: 2 });
      await expect(pay({ b: 2, a: 1 })).resolves.toBe('paid');
      await expect(pay({ a: '1', b: 2 })).rejects.toThrow(KeyReusedError);
    });

    it('R10: replays undefined, and runs once', async () => {
      const work = jest.fn();
      await expect(runOnce(key, 30, work)).resolves.toBeUndefined();
      await expect(runOnce(key, 30, work)).resolves.toBeUndefined();
      expect(work).toHaveBeenCalledTimes(1);
    });

    it('invariant 5: a result that cannot be stored never makes the work run again', async () => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const work = jest.fn(() => () => 'a function');
      await expect(runOnce(key, 30, work)).resolves.toBeInstanceOf(Function);
      await expect(runOnce(key, 30, work)).rejects.toThrow(ResultUnavailableError);
      expect(work).toHaveBeenCalledTimes(1);
      expect(warned).toHaveBeenCalledTimes(1);
      warned.mockRestore();
    });

    it('invariant 7, R21: a retention shorter than the lock does not end the lock', async () => {
      await start(900);
      now += seconds(899);
      await expect(runOnce(key, 30, () => 'too soon')).rejects.toThrow(StillInProgressError);
    });

    it('invariant 7: a result is kept for all of its retention, and an expired record counts as absent', async () => {
      await runOnce(key, 900, () => 'kept');
      now += seconds(60);
      await expect(runOnce(key, 30, () => 'again')).resolves.toBe('kept');
      now += seconds(2);
      await expect(runOnce(key, 30, () => 'anew')).resolves.toBe('anew');
    });

    it('R6: a killed run holds its lock for as long as it asked, then the key is claimable', async () => {
      await start(3600);
      now += seconds(3599);
      await expect(runOnce(key, 30, () => 'too soon')).rejects.toThrow(StillInProgressError);
      now += seconds(3);
      await expect(runOnce(key, 30, (run) => run.attempt)).resolves.toBe(2);
    });

    it('R6: an operator can release a record by deleting it', async () => {
      await start(3600);
      await under.remove(key);
      await expect(runOnce(key, 30, () => 'released')).resolves.toBe('released');
    });

    describe('R8: with a fingerprint', () => {
      const of = (amount: number) => ({ lockSeconds: 30, fingerprint: { amount, currency: 'EUR' } });

      it('refuses another request under the key while it is in progress, and after completion', async () => {
        const first = runOnce(key, of(1), async () => {
          await expect(runOnce(key, of(2), () => 'other')).rejects.toThrow(KeyReusedError);
          await expect(runOnce(key, of(1), () => 'same')).rejects.toThrow(StillInProgressError);
          return 'paid';
        });
        await expect(first).resolves.toBe('paid');
        await expect(runOnce(key, of(2), () => 'other')).rejects.toThrow(KeyReusedError);
        await expect(runOnce(key, of(1), () => 'same')).resolves.toBe('paid');
        await expect(runOnce(key, 30, () => 'unsaid')).resolves.toBe('paid');
      });

      it('takes a record without one for the same request', async () => {
        await runOnce(key, 30, () => 'paid');
        await expect(runOnce(key, of(1), () => 'again')).resolves.toBe('paid');
      });

      it('never hands a stale run the result of another request', async () => {
        const stale = runOnce(key, of(1), async () => {
          now += seconds(32);
          await expect(runOnce(key, of(2), () => 'newer')).resolves.toBe('newer');
          return 'stale';
        });
        await expect(stale).rejects.toThrow(LockLostError);
      });

      it('leaves none of it on a record that is used anew without one', async () => {
        await runOnce(key, of(1), () => 'paid');
        now += seconds(62);
        await runOnce(key, 30, () => 'anew');
        expect(await under.read(key)).not.toHaveProperty('fingerprint');
      });
    });

    describe('extend', () => {
      it('makes the lock last longer, and never shorter', async () => {
        const outcome = runOnce(key, 30, async (run) => {
          await run.extend(100);
          await run.extend(5);
          now += seconds(99);
          await expect(runOnce(key, 30, () => 'too soon')).rejects.toThrow(StillInProgressError);
          return 'long';
        });
        await expect(outcome).resolves.toBe('long');
      });

      it('says that the lock is lost once the record is gone', async () => {
        const outcome = runOnce(key, 30, async (run) => {
          await under.remove(key);
          await run.extend(30);
        });
        await expect(outcome).rejects.toThrow(LockLostError);
      });

      it('says that the lock is lost once another call has taken over', async () => {
        const outcome = runOnce(key, 30, async (run) => {
          now += seconds(32);
          await runOnce(key, 30, () => 'newer');
          await run.extend(30);
        });
        await expect(outcome).rejects.toThrow(LockLostError);
        await expect(runOnce(key, 30, () => 'again')).resolves.toBe('newer');
      });
    });

    describe('rememberError', () => {
      class CardDeclined extends Error {
        override name = 'CardDeclined';
        constructor(readonly reason: string) {
          super('The card was declined');
        }
      }
      const options = { lockSeconds: 30, rememberError: (error: unknown) => error instanceof CardDeclined };

      it('throws a business refusal again on replay, with name, message and data', async () => {
        const declined = new CardDeclined('no funds');
        const work = jest.fn(() => Promise.reject(declined));
        await expect(runOnce(key, options, work)).rejects.toBe(declined);
        await expect(runOnce(key, options, work)).rejects.toMatchObject({
          name: 'CardDeclined',
          message: 'The card was declined',
          reason: 'no funds',
        });
        expect(work).toHaveBeenCalledTimes(1);
      });

      it('releases the key after every other error', async () => {
        await expect(runOnce(key, options, () => Promise.reject(new Error('network')))).rejects.toThrow(
          'network',
        );
        await expect(runOnce(key, options, () => 'paid')).resolves.toBe('paid');
      });
    });

    describe('onOrphan', () => {
      /** A run that dies: its work never ends, and its lock does. */
      async function die(onOrphan: OnOrphan): Promise<void> {
        await new Promise<void>((begun) => {
          void runOnce(key, { lockSeconds: 30, onOrphan }, () => {
            begun();
            return new Promise(() => {});
          });
        });
        now += seconds(32);
      }
      const call = (onOrphan: OnOrphan, work: () => unknown = () => 'ran') =>
        runOnce(key, { lockSeconds: 30, onOrphan }, work);

      it('refuses, for as long as results are kept, and lets nobody who refuses claim it', async () => {
        await die('fail');
        await expect(call('fail')).rejects.toThrow(OrphanedError);
        expect(await under.read(key)).toMatchObject({ lockedUntil: 1_800_000_031, expiresAt: 1_800_000_091 });
        now += seconds(3600);
        await expect(call('fail')).rejects.toThrow(OrphanedError);
        await expect(call('retry')).resolves.toBe('ran');
        expect(await under.read(key)).not.toHaveProperty('lockedUntil');
      });

      it('refuses to take over a run that died under another call’s rule, too', async () => {
        await die('retry');
        await expect(call('fail')).rejects.toThrow(OrphanedError);
      });

      it('runs again once asked and answered so, as the next attempt', async () => {
        await die('fail');
        const asked = jest.fn(() => 'retry' as const);
        await expect(runOnce(key, { lockSeconds: 30, onOrphan: asked }, (run) => run.attempt)).resolves.toBe(
          2,
        );
        expect(asked).toHaveBeenCalledWith({
          key,
          attempt: 1,
          lockedUntil: new Date(1_800_000_031_000),
          idempotencyKey: expect.any(Function),
        });
      });

      it('answers with what downstream says, and every later call does so too', async () => {
        await die('fail');
        const work = jest.fn();
        await expect(call(() => Promise.resolve({ result: 'charged' }), work)).resolves.toBe('charged');
        await expect(call('fail', work)).resolves.toBe('charged');
        expect(work).not.toHaveBeenCalled();
      });

      it('looks anew when another call was quicker to take it over', async () => {
        await die('fail');
        const slow = call(async () => {
          await call(() => 'retry');
          return 'retry' as const;
        });
        await expect(slow).resolves.toBe('ran');
        expect(await under.read(key)).toMatchObject({ attempt: 2 });
      });

      it('does not take a run over that has extended its lock meanwhile', async () => {
        let run: Run | undefined;
        void runOnce(key, { lockSeconds: 30, onOrphan: 'fail' }, (its) => {
          run = its;
          return new Promise(() => {});
        });
        while (!run) await sleep(1);
        now += seconds(32);
        const asked = call(async () => {
          await run?.extend(60);
          return 'retry' as const;
        });
        await expect(asked).rejects.toThrow(StillInProgressError);
      });

      it('asks about a record of the classic form, which has no owner', async () => {
        await under.put({ pk: key, status: 'IN_PROGRESS', expiresAt: 1_800_000_000 - 5 });
        await expect(call('fail')).rejects.toThrow(OrphanedError);
        await expect(call(() => 'retry')).resolves.toBe('ran');
      });

      it('passes on what the question itself throws, and changes nothing', async () => {
        await die('fail');
        const record = await under.read(key);
        await expect(call(() => Promise.reject(new Error('downstream is out')))).rejects.toThrow(
          'downstream is out',
        );
        expect(await under.read(key)).toEqual(record);
      });

      it('refuses an answer that is none', async () => {
        await die('fail');
        await expect(call((() => undefined) as never)).rejects.toThrow(ConfigurationError);
      });
    });

    describe('commit', () => {
      const effect = () => under.effects?.read(key);
      const count = (condition?: object): TransactItem => ({
        Update: {
          TableName: under.effects?.tableName as string,
          Key: { pk: key },
          UpdateExpression: 'SET #count = if_not_exists(#count, :zero) + :one',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':zero': 0, ':one': 1 },
          ...condition,
        },
      });
      const withEffects = (name: string, test: () => Promise<void>) =>
        it(name, async () => {
          // A table that knows no transactions has no effects, and says so by refusing the commit.
          if (under.effects) return test();
          await expect(runOnce(key, 30, (run) => run.commit(count()))).rejects.toThrow(IdempotencyError);
        });

      withEffects('writes the work’s items and the completion together, once', async () => {
        const work = (run: Run) => {
          run.commit(count());
          return 'counted';
        };
        await expect(runOnce(key, 30, work)).resolves.toBe('counted');
        await expect(runOnce(key, 30, work)).resolves.toBe('counted');
        expect(await effect()).toMatchObject({ count: 1 });
      });

      withEffects('writes nothing when the work throws', async () => {
        const outcome = runOnce(key, 30, (run) => {
          run.commit(count());
          throw new Error('changed my mind');
        });
        await expect(outcome).rejects.toThrow('changed my mind');
        expect(await effect()).toBeUndefined();
      });

      withEffects('names the refused item, writes nothing and releases the key', async () => {
        const refused = { ConditionExpression: 'attribute_exists(pk)' };
        const outcome = runOnce(key, 30, (run) =>
          run.commit(
            {
              ConditionCheck: {
                TableName: under.effects?.tableName as string,
                Key: { pk: 'free' },
                ConditionExpression: 'attribute_not_exists(pk)',
              },
            },
            count(refused),
          ),
        );
        await expect(outcome).rejects.toThrow(CommitRefusedError);
        await expect(outcome).rejects.toMatchObject({ index: 1, reason: 'ConditionalCheckFailed' });
        expect(await effect()).toBeUndefined();
        expect(await under.read(key)).toBeUndefined();
      });

      withEffects('writes nothing of a stale run', async () => {
        const stale = runOnce(key, 30, async (run) => {
          run.commit(count());
          now += seconds(32);
          await runOnce(key, 30, () => 'newer');
          return 'stale';
        });
        await expect(stale).resolves.toBe('newer');
        expect(await effect()).toBeUndefined();
      });

      withEffects('writes nothing of a stale run whose record is gone', async () => {
        const stale = runOnce(key, 30, async (run) => {
          run.commit(count());
          await under.remove(key);
          return 'stale';
        });
        await expect(stale).rejects.toThrow(LockLostError);
        expect(await effect()).toBeUndefined();
      });

      withEffects('counts once when its response is lost and it is sent again', async () => {
        const again: Table = {
          ...plain(under.table),
          transact: async (items, token) => {
            await under.table.transact(items, token);
            return under.table.transact(items, token);
          },
        };
        const work = (run: Run) => {
          run.commit(count());
          return 'counted';
        };
        await expect(callers(again)(key, 30, work)).resolves.toBe('counted');
        expect(await effect()).toMatchObject({ count: 1 });
      });

      withEffects('counts once when it is sent again after its token was forgotten', async () => {
        const again: Table = {
          ...plain(under.table),
          transact: async (items, token) => {
            await under.table.transact(items, token);
            return under.table.transact(items, randomUUID());
          },
        };
        await expect(callers(again)(key, 30, (run) => run.commit(count()))).resolves.toBeUndefined();
        expect(await effect()).toMatchObject({ count: 1 });
      });
    });

    describe('with records of the classic form', () => {
      const end = 1_800_000_100;
      it.each([[{ id: 7, lines: ['a', 1] }], ['text'], [0], [null], [undefined]])(
        'replays %j',
        async (result) => {
          await under.put({
            pk: key,
            status: 'COMPLETED',
            expiresAt: end,
            ...(result === undefined ? {} : { result }),
          });
          await expect(runOnce(key, 30, () => 'again')).resolves.toStrictEqual(result);
        },
      );

      it('respects a lock, and takes over once it has ended', async () => {
        await under.put({ pk: key, status: 'IN_PROGRESS', expiresAt: end });
        await expect(runOnce(key, 30, () => 'too soon')).rejects.toThrow(StillInProgressError);
        now += seconds(102);
        await expect(runOnce(key, 30, (run) => run.attempt)).resolves.toBe(2);
        expect(await under.read(key)).toMatchObject({ status: 'COMPLETED', attempt: 2, result: '2' });
      });

      it('takes over an expired completion, of whose result nothing remains', async () => {
        await under.put({ pk: key, status: 'COMPLETED', expiresAt: end, result: { old: true } });
        now += seconds(102);
        await expect(runOnce(key, 30, () => undefined)).resolves.toBeUndefined();
        expect(await under.read(key)).not.toHaveProperty('result');
      });
    });
  });
}

/** A table's operations, to put a fault in place of one of them. */
export function plain(table: Table): Table {
  return {
    get: (input) => table.get(input),
    update: (input) => table.update(input),
    delete: (input) => table.delete(input),
    transact: (items, token) => table.transact(items, token),
  };
}
