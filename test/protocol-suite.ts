import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { LockLostError, ResultUnavailableError, StillInProgressError } from '../layer/errors';
import { type RunOnce, runOnceWith } from '../layer/run-once';
import { createStore } from '../layer/store';
import type { Item, Table } from '../layer/table';

/** A table under test, and a way to look at its items and to lay some that other code wrote. */
export interface TableUnderTest {
  table: Table;
  tableName: string;
  read(key: string): Promise<Item | undefined>;
  put(item: Item & { pk: string }): Promise<void>;
  remove(key: string): Promise<void>;
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
      const clock = { now: () => now };
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
        get: (input) => under.table.get(input),
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
