import { jest } from '@jest/globals';
import { LockLostError, StillInProgressError, StoreError } from '../../layer/errors';
import type { Run } from '../../layer/run';
import { type RunOnce, runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { idle, VirtualClock } from '../../testing/virtual-clock';
import { plain } from '../protocol-suite';

let clock: VirtualClock;
let memory: MemoryTable;
let calls: { update: number; get: number };
let faults: Partial<Table>;
let runOnce: RunOnce;

beforeEach(() => {
  clock = new VirtualClock();
  memory = new MemoryTable();
  calls = { update: 0, get: 0 };
  faults = {};
  const table: Table = {
    ...plain(memory),
    update: (input, signal) => {
      calls.update++;
      return (faults.update ?? plain(memory).update)(input, signal);
    },
    get: (input) => {
      calls.get++;
      return (faults.get ?? plain(memory).get)(input);
    },
  };
  runOnce = runOnceWith({
    store: createStore(table, 'orders', clock),
    clock,
    keyPrefix: '',
    keepForSeconds: 60,
  });
});

/** A call whose work lasts that long. */
const lasting = (seconds: number, options: object = { lockSeconds: 30 }, by = runOnce) =>
  by('k', options, async () => {
    await new Promise<void>((done) => void clock.after(seconds * 1000, done));
    return 'done';
  });

const context = (milliseconds: number) => {
  const end = clock.now() + milliseconds;
  return { getRemainingTimeInMillis: () => end - clock.now() };
};

describe('wait', () => {
  const waiting = { lockSeconds: 30, whenInProgress: 'wait' as const, waitSeconds: 5 };

  it('R16: gets the first call’s result without running', async () => {
    const first = lasting(2);
    const work = jest.fn();
    const second = runOnce('k', waiting, work);
    let answered = 0;
    void second.then(() => (answered = clock.now()));
    const begun = clock.now();
    await clock.advance(5_000);
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    expect(work).not.toHaveBeenCalled();
    // No later than a third of the wait, and by few reads.
    expect(answered - begun).toBeLessThan(3_000);
    expect(calls.get).toBeLessThan(12);
  });

  it('is told that the call is still in progress once it has waited as long as it may', async () => {
    void lasting(20);
    const second = runOnce('k', waiting, () => 'again').catch((error) => error);
    await clock.advance(4_999);
    expect(await Promise.race([second, 'waiting'])).toBe('waiting');
    await clock.advance(1);
    expect(await second).toBeInstanceOf(StillInProgressError);
  });

  it('runs itself when the first call fails', async () => {
    const first = runOnce('k', 30, async () => {
      await new Promise<void>((done) => void clock.after(1000, done));
      throw new Error('declined');
    }).catch((error) => error);
    const second = runOnce('k', waiting, () => 'mine');
    await clock.advance(5_000);
    expect((await first).message).toBe('declined');
    expect(await second).toBe('mine');
  });

  it('runs itself when the first call’s lock ends', async () => {
    void lasting(1000, { lockSeconds: 3 });
    await idle();
    const second = runOnce('k', waiting, (run) => run.attempt);
    await clock.advance(6_000);
    expect(await second).toBe(2);
  });

  it('waits as long as its own lock where nothing is said, and never past the invocation’s end', async () => {
    void lasting(1000, { lockSeconds: 900 });
    await idle();
    const outcome = (options: object) => runOnce('k', options, () => 'never').catch((error) => error);
    const begun = clock.now();
    const ends: number[] = [];
    void outcome({ lockSeconds: 3, whenInProgress: 'wait' }).then(() => ends.push(clock.now() - begun));
    void outcome({ context: context(8_000), whenInProgress: 'wait', waitSeconds: 100 }).then(() =>
      ends.push(clock.now() - begun),
    );
    await clock.advance(20_000);
    expect(ends).toEqual([3_000, 7_800]);
  });

  it('looks more and more seldom', async () => {
    void lasting(1000, { lockSeconds: 900 });
    await idle();
    const outcome = runOnce('k', { ...waiting, waitSeconds: 300 }, () => 'never').catch((error) => error);
    await clock.advance(300_000);
    await outcome;
    expect(calls.get).toBeLessThan(25);
  });
});

describe('heartbeat', () => {
  const beating = { lockSeconds: 3, heartbeat: true };

  it('keeps the lock of a short lease for as long as the work runs', async () => {
    const first = lasting(60, beating);
    for (let second = 0; second < 59; second++) {
      await clock.advance(1_000);
      await expect(runOnce('k', 1, () => 'stolen')).rejects.toThrow(StillInProgressError);
    }
    await clock.advance(2_000);
    expect(await first).toBe('done');
  });

  it('stops with the work: nothing is extended or pending after it', async () => {
    const first = lasting(4, beating);
    await clock.advance(4_000);
    expect(await first).toBe('done');
    const { update } = calls;
    await clock.advance(60_000);
    expect(calls.update).toBe(update);
    expect(clock.pending).toBe(0);
  });

  it('is awaited before the key is released', async () => {
    const order: string[] = [];
    let beat!: () => void;
    faults.update = async (input) => {
      if (calls.update !== 2) return memory.update(input);
      await new Promise<void>((done) => {
        beat = done;
      });
      order.push('beat');
      return memory.update(input);
    };
    let fail!: (error: Error) => void;
    const outcome = runOnce('k', beating, () => new Promise((_, reject) => (fail = reject))).catch(
      (error) => {
        order.push(error.message);
      },
    );
    await clock.advance(1_000);
    fail(new Error('failed'));
    await idle();
    expect(order).toEqual([]);
    beat();
    await outcome;
    expect(order).toEqual(['beat', 'failed']);
    expect(clock.pending).toBe(0);
    expect(memory.items('orders').size).toBe(0);
  });

  it('goes on after a beat that failed for a passing reason', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    faults.update = (input) => (calls.update === 2 ? Promise.reject(throttled) : memory.update(input));
    const first = lasting(10, beating);
    await clock.advance(10_000);
    expect(await first).toBe('done');
    expect(calls.update).toBeGreaterThan(8);
  });

  it('ends, and aborts the work, once the lock is lost', async () => {
    let signal: AbortSignal | undefined;
    const outcome = runOnce('k', beating, (run) => {
      signal = run.signal;
      return new Promise((_, reject) =>
        run.signal.addEventListener('abort', () => reject(run.signal.reason)),
      );
    }).catch((error) => error);
    await idle();
    memory
      .items('orders')
      .set('k', { pk: 'k', owner: 'thief', status: 'IN_PROGRESS', expiresAt: 9e9, attempt: 2 });
    await clock.advance(1_000);
    expect(signal?.aborted).toBe(true);
    expect(await outcome).toBeInstanceOf(LockLostError);
    expect(clock.pending).toBe(0);
  });
});

describe('signal', () => {
  /** Seconds after which the signal of a call with such a lock aborts. */
  async function abortsAfter(lockSeconds: number, during?: (run: Run) => Promise<void>): Promise<number> {
    const begun = clock.now();
    let aborted = 0;
    void runOnce(`lock of ${lockSeconds}`, lockSeconds, async (run) => {
      run.signal.addEventListener('abort', () => {
        aborted = clock.now();
        expect(run.signal.reason).toBeInstanceOf(LockLostError);
      });
      await during?.(run);
      return new Promise(() => {});
    });
    await clock.advance(200_000);
    return (aborted - begun) / 1000;
  }

  it('aborts three seconds before the lock ends, at half of a lock shorter than six', async () => {
    expect(await abortsAfter(30)).toBe(27);
    expect(await abortsAfter(2)).toBe(1);
    expect(await abortsAfter(1)).toBe(0.5);
  });

  it('moves with the lock', async () => {
    expect(await abortsAfter(30, (run) => run.extend(100))).toBe(97);
  });

  it('never fires after the work has ended, and costs no timer where it is not asked for', async () => {
    let signal: AbortSignal | undefined;
    await runOnce('asked', 30, (run) => {
      signal = run.signal;
      expect(clock.pending).toBe(1);
    });
    await runOnce('not asked', 30, () => expect(clock.pending).toBe(0));
    await clock.advance(60_000);
    expect(signal?.aborted).toBe(false);
  });
});

describe('after the work has ended', () => {
  it('refuses what the work forgot to await', async () => {
    let run: Run | undefined;
    await runOnce('k', 30, (its) => {
      run = its;
    });
    await expect(run?.extend(30)).rejects.toThrow(/run.extend was called after the work had ended/);
    expect(() => run?.commit()).toThrow(/run.commit was called after the work had ended/);
    expect(run?.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });
});

describe('the invocation’s end', () => {
  it('gives up on a table that does not answer, in time to say so, and runs nothing', async () => {
    faults.update = () => new Promise(() => {});
    const work = jest.fn();
    const outcome = runOnce('k', { context: context(3_000) }, work).catch((error) => error);
    await clock.advance(2_799);
    expect(await Promise.race([outcome, 'waiting'])).toBe('waiting');
    await clock.advance(1);
    expect(await outcome).toBeInstanceOf(StoreError);
    expect(work).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  it('gives up in time also where little is left', async () => {
    faults.update = () => new Promise(() => {});
    const begun = clock.now();
    const outcome = runOnce('k', { context: context(300) }, () => 1).catch((error) => error);
    let ended = 0;
    void outcome.then(() => (ended = clock.now() - begun));
    await clock.advance(1_000);
    expect((await outcome).message).toMatch(/Could not claim .* DeadlineExceeded: .* The work was not run/);
    expect(ended).toBe(150);
  });

  it('does not hide the work’s own error behind a release that is not answered', async () => {
    const table = { ...plain(memory), delete: () => new Promise<never>(() => {}) };
    const parts = { store: createStore(table, 'orders', clock), clock, keyPrefix: '', keepForSeconds: 60 };
    const begun = clock.now();
    let ended = 0;
    const outcome = runOnceWith(parts)('k', { context: context(5_000) }, () =>
      Promise.reject(new Error('declined')),
    );
    const error = outcome.catch((its) => {
      ended = clock.now() - begun;
      return its;
    });
    await clock.advance(10_000);
    expect((await error).message).toBe('declined');
    expect(ended).toBe(3_000);
  });

  it('does not wait for long for a beat that is not answered', async () => {
    faults.update = (input) => (calls.update === 2 ? new Promise(() => {}) : memory.update(input));
    const begun = clock.now();
    let ended = 0;
    const outcome = lasting(4, { context: context(9_000), heartbeat: true });
    void outcome.then(() => (ended = clock.now() - begun));
    await clock.advance(20_000);
    expect(await outcome).toBe('done');
    // The beat began after a third of the nine seconds, and is given up five seconds later.
    expect(ended).toBe(8_000);
  });

  it('ends what the client would send yet', async () => {
    let signal: AbortSignal | undefined;
    faults.update = (_, its) => {
      signal = its;
      return new Promise(() => {});
    };
    const outcome = runOnce('k', { context: context(3_000) }, () => 1).catch((error) => error);
    await idle();
    expect(signal?.aborted).toBe(false);
    await clock.advance(2_800);
    await outcome;
    expect(signal?.aborted).toBe(true);
  });

  it('names what the time was spent on', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    faults.update = (input) => {
      if (calls.update === 1) return memory.update(input);
      return calls.update < 4 ? Promise.reject(throttled) : new Promise(() => {});
    };
    const outcome = runOnce('k', { context: context(3_000) }, () => 'sent').catch((error) => error);
    await clock.advance(3_000);
    expect((await outcome).message).toMatch(/ThrottlingException: .* The work ran/);
  });

  it.each([0, -5_000, 100])('R5: with %d ms left, still gives the table a second', async (milliseconds) => {
    const outcome = runOnce('k', { context: context(milliseconds) }, () => 'ran');
    await idle();
    expect(await outcome).toBe('ran');
  });

  it('tries to record a completion until then, and not longer', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    faults.update = (input) => (calls.update === 1 ? memory.update(input) : Promise.reject(throttled));
    const begun = clock.now();
    let ended = 0;
    const outcome = runOnce('k', { context: context(10_000) }, () => 'sent').catch((error) => {
      ended = clock.now() - begun;
      return error;
    });
    await clock.advance(30_000);
    expect(await outcome).toBeInstanceOf(StoreError);
    expect(ended).toBeGreaterThan(8_500);
    expect(ended).toBeLessThanOrEqual(9_800);
    expect(calls.update).toBeGreaterThan(6);
  });

  it('does not try again what will not pass', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    faults.update = (input) => (calls.update === 1 ? memory.update(input) : Promise.reject(denied));
    await expect(runOnce('k', 30, () => 'sent')).rejects.toThrow(
      /AccessDeniedException: .*Attach the module/,
    );
    expect(calls.update).toBe(2);
  });
});
