import { jest } from '@jest/globals';
import {
  ConfigurationError,
  InvalidKeyError,
  LockLostError,
  StillInProgressError,
  StoreError,
} from '../../layer/errors';
import { lockSecondsFor } from '../../layer/lock';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';
import { plain } from '../protocol-suite';

const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

function flow(faults: Partial<Table> = {}) {
  const memory = new MemoryTable();
  const items = memory.items('orders');
  const clock = new VirtualClock();
  const table: Table = { ...plain(memory), ...faults };
  const store = createStore(table, 'orders', clock);
  return {
    memory,
    items,
    clock,
    runOnce: runOnceWith({ store, clock, keyPrefix: 'shop#', keepForSeconds: 60 }),
  };
}

describe('the flow', () => {
  it('R1: fixes the key before the work, which may change the event', async () => {
    const { runOnce, items } = flow();
    const event: { id: string; done?: number } = { id: '7' };
    const handle = () =>
      runOnce(`order#${event.id}`, 30, () => {
        event.id = 'changed';
        return 'sent';
      });
    await handle();
    event.id = '7';
    expect(await handle()).toBe('sent');
    expect(event.id).toBe('7');
    expect([...items.keys()]).toEqual(['shop#order#7']);
  });

  it('R4: a call without a context locks for as long as a function can run at most', async () => {
    const { runOnce, clock } = flow();
    void runOnce('k', lockSecondsFor(), () => new Promise(() => {}));
    await expect(runOnce('k', lockSecondsFor(), () => 'again')).rejects.toThrow(StillInProgressError);
    clock.time += 902_000;
    await expect(runOnce('k', lockSecondsFor(), () => 'again')).resolves.toBe('again');
  });

  it.each([0, -5, -0, 0.2])('R5: a lock of %d seconds lasts one second', async (lockSeconds) => {
    const { runOnce, clock } = flow();
    void runOnce('k', lockSeconds, () => new Promise(() => {}));
    clock.time += 999;
    await expect(runOnce('k', 1, () => 'again')).rejects.toThrow(StillInProgressError);
    clock.time += 1_001;
    await expect(runOnce('k', 1, () => 'again')).resolves.toBe('again');
  });

  it('hands the caller the stored likeness, not the object that the work still holds', async () => {
    const { runOnce } = flow();
    const order = { lines: [1] };
    const first = await runOnce('k', 30, () => order);
    order.lines.push(2);
    expect(first).toEqual({ lines: [1] });
    expect(await runOnce('k', 30, () => order)).toEqual(first);
  });

  it('invariant 6, R20: the work’s own error reaches the caller when the release fails too', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    class CardDeclined extends Error {}
    const declined = new CardDeclined('no funds');
    const { runOnce, items, clock } = flow({ delete: () => Promise.reject(throttled) });
    const outcome = runOnce('k', 30, () => Promise.reject(declined)).catch((error) => error);
    await clock.advance(3_000);
    expect(await outcome).toBe(declined);
    expect(warned).toHaveBeenCalledWith(
      expect.stringMatching(/Could not release .* ThrottlingException: .* until its lock has ended/),
      { type: 'IdempotencyWarning', code: 'IDEMPOTENCY_NOT_RELEASED' },
    );
    expect(items.size).toBe(1);
    warned.mockRestore();
  });

  it.each([undefined, null, 'text', 0])('passes on what the work throws, even %p', async (thrown) => {
    const { runOnce, items } = flow();
    const outcome = runOnce('k', 30, () => {
      throw thrown;
    });
    await expect(outcome).rejects.toBe(thrown);
    expect(items.size).toBe(0);
  });

  it('invariant 8: does not run the work while the table is out, and says why', async () => {
    const work = jest.fn();
    const { runOnce } = flow({ update: () => Promise.reject(throttled) });
    const error = (await runOnce('k', 30, work).catch((e) => e)) as Error;
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(
      /Could not claim .* table orders: ThrottlingException: .*The work was not run/,
    );
    expect(error.cause).toBe(throttled);
    expect(work).not.toHaveBeenCalled();
  });

  it('invariant 8: says that the work ran when its completion is not recorded', async () => {
    let updates = 0;
    const { runOnce, memory, clock } = flow({
      update: (input) => (++updates === 1 ? memory.update(input) : Promise.reject(throttled)),
    });
    const outcome = runOnce('k', 30, () => 'sent').catch((e) => e as Error);
    await clock.advance(40_000);
    expect(await outcome).toBeInstanceOf(StoreError);
    expect(((await outcome) as Error).message).toMatch(/Could not complete .*The work ran, but/);
    // Tried again until the lock's end, and no longer.
    expect(updates).toBeGreaterThan(30);
    expect(updates).toBeLessThan(50);
  });

  it('invariant 9: after a crash the key is claimable once its lock has ended', async () => {
    const { runOnce, clock, items } = flow();
    void runOnce('k', 30, () => new Promise(() => {}));
    await new Promise(setImmediate);
    expect(items.size).toBe(1);
    clock.time += 32_000;
    await expect(runOnce('k', 30, (run) => run.attempt)).resolves.toBe(2);
  });

  it('does not begin the work once its lock has ended while the claim was on its way', async () => {
    const work = jest.fn();
    const { runOnce, memory, clock } = flow({
      update: async (input) => {
        const answer = await memory.update(input);
        clock.time += 31_000;
        return answer;
      },
    });
    await expect(runOnce('k', 30, work)).rejects.toThrow(LockLostError);
    expect(work).not.toHaveBeenCalled();
  });

  it('claims again when the record that refused it is gone, or has ended, by the time it is read', async () => {
    const { runOnce, memory, items, clock } = flow({
      update: async (input) => {
        const answer = await memory.update(input);
        return answer.written ? answer : { written: false };
      },
      get: async (input) => {
        const item = await memory.get(input);
        if (input.Key.pk === 'shop#gone') items.clear();
        else clock.time += 40_000;
        return input.Key.pk === 'shop#gone' ? undefined : item;
      },
    });
    for (const key of ['gone', 'ended']) {
      void runOnce(key, 30, () => new Promise(() => {})).catch(() => {});
      await new Promise(setImmediate);
      await expect(runOnce(key, 90, () => 'taken over')).resolves.toBe('taken over');
    }
  });

  it('gives up on a record that comes and goes, and lets the caller retry', async () => {
    let claims = 0;
    const { runOnce } = flow({
      update: async () => {
        claims++;
        return { written: false };
      },
      get: async () => undefined,
    });
    await expect(runOnce('k', 30, () => 'never')).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(claims).toBe(3);
  });

  it('records a completion that was refused by a record that is gone by now', async () => {
    let updates = 0;
    const { runOnce, memory, items } = flow({
      update: async (input) => {
        if (++updates !== 2) return memory.update(input);
        items.clear();
        return { written: false };
      },
    });
    await expect(runOnce('k', 30, () => 'sent')).resolves.toBe('sent');
    await expect(runOnce('k', 30, () => 'again')).resolves.toBe('sent');
  });

  it('gives a completion up that is refused by records which come and go', async () => {
    let updates = 0;
    const { runOnce, memory } = flow({
      update: async (input) => (++updates === 1 ? memory.update(input) : { written: false }),
      get: async () => undefined,
    });
    await expect(runOnce('k', 30, () => 'sent')).rejects.toThrow(LockLostError);
    expect(updates).toBe(4);
  });

  it.each([
    [undefined, /it is undefined/],
    [null, /it is null/],
    ['', /it is ''/],
    [42, /of type number/],
    [['a'], /an array/],
    ['cut \ud83d', /lone surrogate/],
    ['é'.repeat(1022), /takes 2049 bytes with its prefix, but DynamoDB allows 2048/],
  ])('R9: refuses the key %p and writes nothing', async (key, message) => {
    const { runOnce, items } = flow();
    const work = jest.fn();
    const error = (await runOnce(key as string, 30, work).catch((e) => e)) as Error;
    expect(error).toBeInstanceOf(InvalidKeyError);
    expect(error.message).toMatch(message);
    expect(work).not.toHaveBeenCalled();
    expect(items.size).toBe(0);
  });

  it('takes a key of exactly 2,048 bytes', async () => {
    const { runOnce } = flow();
    await expect(runOnce('x'.repeat(2048 - 'shop#'.length), 30, () => 'fits')).resolves.toBe('fits');
  });

  it('refuses work that is not a function, such as a promise of it', async () => {
    const { runOnce, items } = flow();
    const notWork = Promise.resolve('already running') as unknown as () => void;
    await expect(runOnce('k', 30, notWork)).rejects.toThrow(ConfigurationError);
    expect(items.size).toBe(0);
  });

  it('keeps keys and results out of its errors', async () => {
    const { runOnce } = flow({ update: () => Promise.reject(throttled) });
    const error = (await runOnce('jane@example.com', 30, () => 'secret').catch((e) => e)) as Error;
    expect(error.message).not.toMatch(/jane|secret/);
  });
});
