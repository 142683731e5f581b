import { jest } from '@jest/globals';
import { readCall } from '../../layer/call';
import { ConfigurationError } from '../../layer/errors';
import { fingerprintOf } from '../../layer/fingerprint';
import { downstreamKey } from '../../layer/orphan';
import { runOnceWith } from '../../layer/run-once';
import { createStore } from '../../layer/store';
import type { TransactItem } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { VirtualClock } from '../../testing/virtual-clock';

const clock = new VirtualClock();
const read = (options: unknown) =>
  readCall('k', options as never, { clock, keyPrefix: 'p#', keepForSeconds: 60 });
const context = { getRemainingTimeInMillis: () => 5_000 };

it('fills in every default', () => {
  expect(read({ context })).toMatchObject({
    key: 'k',
    pk: 'p#k',
    keepForSeconds: 60,
    fingerprint: undefined,
    heartbeat: false,
    onOrphan: 'retry',
    waitUntil: clock.now(),
  });
  expect(read({ context }).lockSeconds()).toBe(5);
  expect(read({ context }).deadline()).toBe(clock.now() + 4_800);
  expect(read(30).deadline()).toBe(Number.POSITIVE_INFINITY);
  expect(read({ lockSeconds: 30, keepForSeconds: 7.2 }).keepForSeconds).toBe(8);
});

it.each([
  [{}, /exactly one of them is needed/],
  [{ lockSeconds: 30, context }, /exactly one of them is needed/],
  [null, /lockSeconds must be a finite number of seconds, but it is of type object/],
  [{ lockSeconds: Number.NaN }, /it is NaN/],
  [{ lockSeconds: 30, lockSecond: 1 }, /no option lockSecond/],
  [{ lockSeconds: 30, whenInProgress: 'queue' }, /Pass 'throw' or 'wait'/],
  [{ lockSeconds: 30, waitSeconds: 5 }, /with whenInProgress: 'wait'/],
  [{ lockSeconds: 30, whenInProgress: 'wait', waitSeconds: 0 }, /Pass more than 0/],
  [{ lockSeconds: 30, whenInProgress: 'wait', waitSeconds: Number.NaN }, /Pass more than 0/],
  [{ lockSeconds: 30, keepForSeconds: 0 }, /from 1 to 315360000 \(ten years\), but it is 0/],
  [{ lockSeconds: 30, onOrphan: 'ignore' }, /Pass 'retry', 'fail' or a function/],
  [{ lockSeconds: 30, heartbeat: 'no' }, /heartbeat: it is of type string/],
  [{ context: {} }, /context: it has no getRemainingTimeInMillis/],
  [{ lockSeconds: 30, rememberError: true }, /rememberError: it is no function/],
  [{ lockSeconds: 30, fingerprint: { at: new Date(0) } }, /fingerprint must be a JSON value/],
  [{ lockSeconds: 30, fingerprint: '\ud800' }, /lone surrogate/],
])('refuses %p, saying how to mend it', (options, message) => {
  expect(() => read(options)).toThrow(ConfigurationError);
  expect(() => read(options)).toThrow(message);
});

it.each([
  [
    { a: 1, b: [2, { c: 3, d: 4 }] },
    { b: [2, { d: 4, c: 3 }], a: 1 },
  ],
  [
    { A: 1, a: 2 },
    { a: 2, A: 1 },
  ],
  [1, 1.0],
])('R13: the fingerprints of %j and %j are equal', (one, other) => {
  expect(fingerprintOf(one)).toBe(fingerprintOf(other));
});

it.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { A: 1 }],
  [
    [1, 2],
    [2, 1],
  ],
  [null, {}],
  ['', []],
])('R13: the fingerprints of %j and %j differ', (one, other) => {
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
});

it('R1: takes the fingerprint before the work, which may change what it is taken of', async () => {
  const store = createStore(new MemoryTable(), 'orders', clock);
  const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 60 });
  const event: { amount: number; done?: number } = { amount: 1 };
  const pay = () =>
    runOnce('k', { lockSeconds: 30, fingerprint: event }, () => {
      event.done = 1;
      return 'paid';
    });
  await pay();
  delete event.done;
  await expect(pay()).resolves.toBe('paid');
});

it('derives a key for downstream that is stable, printable and of its own for each step', () => {
  const keys = [
    downstreamKey('p#k'),
    downstreamKey('p#k', 'charge'),
    downstreamKey('p#k', 'mail'),
    downstreamKey('p#k', ''),
  ];
  expect(new Set([...keys, downstreamKey('other')]).size).toBe(5);
  expect(keys[0]).toBe(downstreamKey('p#k'));
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});

it('hands the run’s key for downstream to the work, and to the one who asks about its orphan', async () => {
  const clock = new VirtualClock();
  const store = createStore(new MemoryTable(), 'orders', clock);
  const runOnce = runOnceWith({ store, clock, keyPrefix: 'p#', keepForSeconds: 60 });
  let ofTheRun: string | undefined;
  void runOnce('k', 30, (run) => {
    ofTheRun = run.idempotencyKey('charge');
    return new Promise(() => {});
  });
  await clock.advance(32_000);
  let ofTheOrphan: string | undefined;
  await runOnce(
    'k',
    {
      lockSeconds: 30,
      onOrphan: (orphan) => {
        ofTheOrphan = orphan.idempotencyKey('charge');
        return 'retry';
      },
    },
    () => 0,
  );
  expect(ofTheRun).toBe(downstreamKey('p#k', 'charge'));
  expect(ofTheOrphan).toBe(ofTheRun);
});

describe('rememberError', () => {
  it('releases the key, and hides nothing, when the question itself fails', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const memory = new MemoryTable();
    const store = createStore(memory, 'orders', clock);
    const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 60 });
    const rememberError = () => {
      throw new TypeError('of the question');
    };
    await expect(
      runOnce('k', { lockSeconds: 30, rememberError }, () => Promise.reject(new Error('of the work'))),
    ).rejects.toThrow('of the work');
    expect(memory.items('orders').size).toBe(0);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('TypeError'), expect.anything());
    warned.mockRestore();
  });

  it('passes the error on when it cannot be recorded', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const memory = new MemoryTable();
    const store = createStore(memory, 'orders', clock);
    const failing = { ...store, complete: () => Promise.reject(new Error('out')) };
    const runOnce = runOnceWith({ store: failing, clock, keyPrefix: '', keepForSeconds: 60 });
    const options = { lockSeconds: 30, rememberError: () => true };
    await expect(runOnce('k', options, () => Promise.reject(new Error('of the work')))).rejects.toThrow(
      'of the work',
    );
    expect(warned).toHaveBeenCalledWith(
      'out',
      expect.objectContaining({ code: 'IDEMPOTENCY_ERROR_NOT_REMEMBERED' }),
    );
    warned.mockRestore();
  });
});

describe('commit', () => {
  const put = (item: object, table = 't'): TransactItem => ({
    Put: { TableName: table, Item: item as never },
  });
  const del = (id: string, table = 't'): TransactItem => ({ Delete: { TableName: table, Key: { id } } });

  async function commit(...items: TransactItem[]): Promise<unknown> {
    const store = createStore(
      new MemoryTable((table) => [table === 'orders' ? 'pk' : 'id']),
      'orders',
      clock,
    );
    const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 60 });
    return runOnce('k', 30, (run) => run.commit(...items));
  }

  it.each<[string, TransactItem[], RegExp]>([
    ['100 items', Array.from({ length: 100 }, (_, n) => put({ n })), /100 items, but a transaction takes 99/],
    [
      'an unknown operation',
      [{ Get: { TableName: 't' } } as never],
      /item 0, but it must be one of { Put \| Update/,
    ],
    ['two operations in one', [{ ...put({}), ...del('1') } as never], /item 0, but it must be one of/],
    ['nothing', [undefined as never], /item 0, but it must be one of/],
    ['no write', [{ Put: undefined } as never], /item 0, but it must be one of/],
    ['no table', [put({}), { Put: { Item: {} } } as never], /item 1, but it has no TableName/],
    [
      'the same item twice',
      [del('1'), del('2'), del('1')],
      /item 2, but another one writes to the same item/,
    ],
    [
      'too many bytes',
      Array.from({ length: 12 }, (_, n) => put({ n, data: new Uint8Array(400_000) })),
      /a transaction takes 3784704/,
    ],
    ['a Date', [put({ at: new Date(0) })], /type Date given to commit has no DynamoDB type/],
    ['NaN', [put({ n: Number.NaN })], /type number given to commit has no DynamoDB type/],
    ['an empty set', [put({ tags: new Set() })], /type Set given to commit/],
    ['a mixed set', [put({ tags: new Set(['a', 1]) })], /must have members of one type/],
  ])('refuses %s before anything is sent', async (_, items, message) => {
    await expect(commit(...items)).rejects.toThrow(ConfigurationError);
    await expect(commit(...items)).rejects.toThrow(message);
  });

  it('takes 99 items, and the same key in two tables', async () => {
    await expect(commit(...Array.from({ length: 99 }, (_, n) => del(String(n))))).resolves.toBeUndefined();
    await expect(commit(del('1', 'a'), del('1', 'b'))).resolves.toBeUndefined();
    await expect(commit({ Delete: { TableName: 't', Key: { id: 5n } } })).resolves.toBeUndefined();
  });
});
