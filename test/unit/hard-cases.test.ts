import { jest } from '@jest/globals';
import { LockLostError, StillInProgressError } from '../../layer/errors';
import type { OnOrphan } from '../../layer/orphan';
import type { Codec } from '../../layer/result';
import type { Run } from '../../layer/run';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { idle, VirtualClock } from '../../testing/virtual-clock';
import { plain } from '../protocol-suite';

// Each of these once went wrong, or would have.

let clock: VirtualClock;
let memory: MemoryTable;
let warned: jest.SpiedFunction<typeof process.emitWarning>;

beforeEach(() => {
  clock = new VirtualClock();
  memory = new MemoryTable();
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});

afterEach(() => warned.mockRestore());

const items = () => memory.items('orders');

function runOnceOver(faults: Partial<Table> = {}, codec?: Codec) {
  const store = createStore({ ...plain(memory), ...faults }, 'orders', clock);
  return runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 86_400, codec });
}

const context = (milliseconds: number) => {
  const end = clock.now() + milliseconds;
  return { getRemainingTimeInMillis: () => end - clock.now() };
};

const never = () => new Promise<never>(() => {});

async function die(options: object): Promise<void> {
  void runOnceOver()('k', { lockSeconds: 30, ...options }, never);
  await clock.advance(32_000);
}

describe('what downstream has said', () => {
  it('counts also when the dead run’s record is gone by then: the work is not run', async () => {
    await die({ onOrphan: 'fail' });
    const work = jest.fn();
    const onOrphan = () => {
      items().clear();
      return { result: 'charged' };
    };
    await expect(runOnceOver()('k', { lockSeconds: 30, onOrphan }, work)).resolves.toBe('charged');
    await expect(runOnceOver()('k', 30, work)).resolves.toBe('charged');
    expect(work).not.toHaveBeenCalled();
  });

  it('is not asked for ever about a record that nobody can take over', async () => {
    items().set('k', { pk: 'k', owner: 'o', status: 'ARCHIVED', expiresAt: 1 });
    const onOrphan = jest.fn<Exclude<OnOrphan, string>>(() => 'retry');
    await expect(runOnceOver()('k', { lockSeconds: 30, onOrphan }, () => 1)).rejects.toThrow(
      StillInProgressError,
    );
    expect(onOrphan.mock.calls.length).toBeLessThan(5);
  });
});

describe('a codec', () => {
  it.each([[undefined], [5], [{}], [new ArrayBuffer(4)]])(
    'that answers %p completes without a result',
    async (bytes) => {
      const codec = { name: 'broken', encode: () => bytes as never, decode: (its: Uint8Array) => its };
      const runOnce = runOnceOver({}, codec);
      await expect(runOnce('k', 30, () => 'sent')).resolves.toBe('sent');
      expect(items().get('k')).toMatchObject({ status: 'COMPLETED', resultUnavailable: expect.any(String) });
    },
  );
});

describe('the signal', () => {
  it('is aborted at the first look after the lock has ended', async () => {
    await runOnceOver()('k', 30, (run) => {
      clock.time += 40_000;
      expect(run.signal.aborted).toBe(true);
    });
  });

  it('is aborted at a look in a process that was too busy, or frozen, to be called back', async () => {
    await runOnceOver()('k', 30, (run) => {
      expect(run.signal.aborted).toBe(false);
      clock.time += 40_000;
      expect(run.signal.aborted).toBe(true);
    });
  });

  it('keeps to the later end of two extensions, with the margin of the longer lock', async () => {
    let run: Run | undefined;
    void runOnceOver()('k', { lockSeconds: 2, heartbeat: true }, async (its) => {
      run = its;
      await its.extend(600);
      return never();
    });
    await idle();
    expect(run?.signal.aborted).toBe(false);
    await clock.advance(500_000);
    expect(run?.signal.aborted).toBe(false);
  });
});

describe('time', () => {
  it('is spent on a completion to the last: an outage of 14 s is survived with 24 s left', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const recovers = clock.now() + 14_000;
    let updates = 0;
    const runOnce = runOnceOver({
      update: (input) =>
        ++updates > 1 && clock.now() < recovers ? Promise.reject(throttled) : memory.update(input),
    });
    const outcome = runOnce('k', { context: context(24_000) }, () => 'sent');
    await clock.advance(24_000);
    expect(await outcome).toBe('sent');
  });

  it('is not lost to a beat, or to a release, that hangs where no context bounds it', async () => {
    let updates = 0;
    const hangingBeat = runOnceOver({
      update: (input) => (++updates === 2 ? never() : memory.update(input)),
    });
    const outcome = hangingBeat('beat', { lockSeconds: 30, heartbeat: true }, async () => {
      await new Promise<void>((done) => void clock.after(12_000, done));
      return 'done';
    });
    await clock.advance(20_000);
    expect(await Promise.race([outcome, 'hanging'])).toBe('done');

    const hangingRelease = runOnceOver({ delete: never });
    const error = hangingRelease('release', 30, () => Promise.reject(new Error('declined'))).catch(
      (its) => its.message,
    );
    await clock.advance(5_000);
    expect(await Promise.race([error, 'hanging'])).toBe('declined');
  });

  it('past the invocation is locked by no beat', async () => {
    const end = clock.now() + 30_000;
    void runOnceOver()('k', { context: context(30_000), heartbeat: true }, never);
    await clock.advance(29_000);
    expect(items().get('k')?.expiresAt as number).toBeLessThanOrEqual(end / 1000 + 1);
  });

  it('past the deadline begins nothing new, also with a client that cannot be aborted', async () => {
    const sent: number[] = [];
    const begun = clock.now();
    const runOnce = runOnceOver({
      update: async () => {
        sent.push(clock.now() - begun);
        await new Promise<void>((done) => void clock.after(6_000, done));
        return { written: false };
      },
    });
    const outcome = runOnce('k', { context: context(5_000) }, () => 1).catch(() => {});
    await clock.advance(30_000);
    await outcome;
    expect(sent).toEqual([0]);
  });
});

describe('a key', () => {
  it('is free again when its claim was answered too late for the work', async () => {
    let late = true;
    const runOnce = runOnceOver({
      update: async (input) => {
        const answer = await memory.update(input);
        if (late) clock.time += 31_000;
        late = false;
        return answer;
      },
    });
    const options = { lockSeconds: 30, onOrphan: 'fail' as const };
    await expect(runOnce('k', options, () => 'ran')).rejects.toThrow(LockLostError);
    await expect(runOnce('k', options, () => 'ran')).resolves.toBe('ran');
  });

  it('is released at a second try', async () => {
    let deletes = 0;
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const runOnce = runOnceOver({
      delete: (input) => (++deletes === 1 ? Promise.reject(throttled) : memory.delete(input)),
    });
    const outcome = runOnce('k', 30, () => Promise.reject(new Error('declined'))).catch((its) => its.message);
    await clock.advance(1_000);
    expect(await outcome).toBe('declined');
    expect(items().size).toBe(0);
  });
});

describe('rememberError', () => {
  const remembering = { lockSeconds: 30, rememberError: () => true };

  it('remembers nothing on the word of a promise', async () => {
    const options = { lockSeconds: 30, rememberError: (async () => false) as never };
    await expect(runOnceOver()('k', options, () => Promise.reject(new Error('network')))).rejects.toThrow(
      'network',
    );
    expect(items().size).toBe(0);
  });

  it('never remembers that a lock was lost', async () => {
    await expect(
      runOnceOver()('k', remembering, () => Promise.reject(new LockLostError('stopped'))),
    ).rejects.toThrow('stopped');
    expect(items().size).toBe(0);
  });

  it('remembers name and message of an error that holds what cannot be stored', async () => {
    const refused = Object.assign(new Error('declined'), {
      name: 'AxiosError',
      config: { validateStatus: () => true },
    });
    await expect(runOnceOver()('k', remembering, () => Promise.reject(refused))).rejects.toBe(refused);
    await expect(runOnceOver()('k', remembering, () => 1)).rejects.toMatchObject({
      name: 'AxiosError',
      message: 'declined',
    });
  });

  it.each([[undefined], [null], [0], ['']])('throws %p again', async (thrown) => {
    const throwing = () => {
      throw thrown;
    };
    await expect(runOnceOver()('k', remembering, throwing)).rejects.toBe(thrown);
    await expect(runOnceOver()('k', remembering, () => 1)).rejects.toBe(thrown);
  });
});

it('commits what was given to commit, whatever becomes of the object afterwards', async () => {
  const item = { pk: 'a', amount: 1 };
  await runOnceOver()('k', 30, (run) => {
    run.commit({ Put: { TableName: 'effects', Item: item } });
    item.amount = 1_000_000;
  });
  expect(memory.items('effects').get('a')).toEqual({ pk: 'a', amount: 1 });
});

it('keeps the errors of an AggregateError', async () => {
  const failed = () => new AggregateError([new Error('one')], 'all failed');
  await runOnceOver()('k', 30, failed);
  const again = (await runOnceOver()('k', 30, failed)) as AggregateError;
  expect(again).toMatchObject({ message: 'all failed', errors: [{ message: 'one' }] });
});
