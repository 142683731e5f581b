import { RecordCache } from '../../layer/cache';
import { ConfigurationError, KeyReusedError } from '../../layer/errors';
import type { IdempotencyRecord } from '../../layer/record';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';
import { plain } from '../protocol-suite';

const clock = new VirtualClock();
const inAMinute = () => Math.floor(clock.now() / 1000) + 60;
const record = (result = '"x"'): IdempotencyRecord => ({
  status: 'COMPLETED',
  owner: 'o',
  attempt: 1,
  expiresAt: inAMinute(),
  result,
});

function cached(options = {}) {
  const memory = new MemoryTable();
  let calls = 0;
  const table = {
    ...plain(memory),
    update: (input: never) => {
      calls++;
      return memory.update(input);
    },
  };
  const runOnce = runOnceWith({
    store: createStore(table, 'orders', clock),
    clock,
    keyPrefix: '',
    keepForSeconds: 60,
    cache: new RecordCache(clock, options),
  });
  return { runOnce, memory, calls: () => calls };
}

it('answers a duplicate without asking the table, with a value of its own', async () => {
  const { runOnce, calls } = cached();
  const first = await runOnce('k', 30, () => ({ lines: [1] }));
  const second = await runOnce('k', 30, () => ({ lines: [2] }));
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
  expect(calls()).toBe(2);
});

it('keeps what it replayed, too', async () => {
  const { runOnce, memory, calls } = cached();
  memory
    .items('orders')
    .set('k', { pk: 'k', status: 'COMPLETED', expiresAt: inAMinute(), result: { classic: 1 } });
  await expect(runOnce('k', 30, () => 0)).resolves.toEqual({ classic: 1 });
  await expect(runOnce('k', 30, () => 0)).resolves.toEqual({ classic: 1 });
  expect(calls()).toBe(1);
});

it('never answers past the end of retention', async () => {
  const { runOnce } = cached();
  await runOnce('k', 30, () => 'kept');
  clock.time += 62_000;
  await expect(runOnce('k', 30, () => 'anew')).resolves.toBe('anew');
});

it('R8: checks the fingerprint', async () => {
  const { runOnce } = cached();
  await runOnce('k', { lockSeconds: 30, fingerprint: 1 }, () => 'paid');
  await expect(runOnce('k', { lockSeconds: 30, fingerprint: 2 }, () => 'x')).rejects.toThrow(KeyReusedError);
});

it('keeps neither what is in progress nor what has failed', async () => {
  const { runOnce, calls } = cached();
  await expect(runOnce('k', 30, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await runOnce('k', 30, () => runOnce('k', 30, () => 0).catch(() => 'refused'));
  expect(calls()).toBe(4);
});

it('drops the least recently used record beyond its count', () => {
  const cache = new RecordCache(clock, { maxRecords: 2 });
  cache.put('a', record());
  cache.put('b', record());
  cache.get('a');
  cache.put('c', record());
  expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true]);
});

it('drops records beyond its bytes, and keeps none that alone is larger', () => {
  const cache = new RecordCache(clock, { maxBytes: 100 });
  cache.put('a', record('x'.repeat(60)));
  cache.put('a', record('x'.repeat(60)));
  cache.put('b', record('x'.repeat(40)));
  expect([cache.get('a'), cache.get('b')].map(Boolean)).toEqual([true, true]);
  cache.put('c', record('x'.repeat(50)));
  expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([false, true, true]);
  cache.put('c', record('é'.repeat(51)));
  expect(cache.get('c')).toBeUndefined();
});

it.each([{ maxRecords: 0 }, { maxBytes: 1.5 }, { maxEntries: 5 }])('refuses the bounds %p', (options) => {
  expect(() => new RecordCache(clock, options)).toThrow(ConfigurationError);
});

it('keeps a completion without a result, which takes no bytes', () => {
  const cache = new RecordCache(clock, { maxBytes: 1 });
  const { result: _, ...nothing } = record();
  cache.put('a', nothing);
  expect(cache.get('a')).toEqual(nothing);
});
