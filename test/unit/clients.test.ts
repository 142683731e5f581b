import { jest } from '@jest/globals';
import { fromAttributeValue, toAttributeValue } from '../../layer/attribute-value';
import { clientTable } from '../../layer/client-table';
import { documentClientTable } from '../../layer/document-client-table';
import { StoreError } from '../../layer/errors';
import { createStore } from '../../layer/store';
import type { Table } from '../../layer/table';
import { VirtualClock } from '../../testing/virtual-clock';

const FOREVER = Number.POSITIVE_INFINITY;

const key = { TableName: 't', Key: { pk: 'k' } };
const condition = {
  ...key,
  ConditionExpression: '#owner = :owner',
  ExpressionAttributeNames: { '#owner': 'owner' },
  ExpressionAttributeValues: { ':owner': 'me' },
};
const update = { ...condition, UpdateExpression: 'SET #owner = :owner' };

const failure = (name: string, more: object = {}) =>
  Object.assign(new Error('refused'), { name, code: name, ...more });

describe('values', () => {
  it.each([
    ['text', { S: 'text' }],
    [1.5, { N: '1.5' }],
    [true, { BOOL: true }],
    [null, { NULL: true }],
    [new Uint8Array([1]), { B: new Uint8Array([1]) }],
    [['a', 1], { L: [{ S: 'a' }, { N: '1' }] }],
    [{ a: { b: false } }, { M: { a: { M: { b: { BOOL: false } } } } }],
    [new Set(['a', 'b']), { SS: ['a', 'b'] }],
    [new Set([1, 2]), { NS: ['1', '2'] }],
    [new Set([new Uint8Array([1])]), { BS: [new Uint8Array([1])] }],
  ])('%p is stored as %j, and read back', (value, attribute) => {
    expect(toAttributeValue(value)).toEqual(attribute);
    expect(fromAttributeValue(attribute)).toEqual(value);
  });

  it('reads bytes also as they are sent', () => {
    expect(fromAttributeValue({ B: 'AQI=' as never })).toEqual(Buffer.from([1, 2]));
    expect(fromAttributeValue({ BS: ['AQI='] as never })).toEqual(new Set([Buffer.from([1, 2])]));
  });

  it('leaves out members that are undefined, and takes bigints', () => {
    expect(toAttributeValue({ a: undefined, b: 1n })).toEqual({ M: { b: { N: '1' } } });
  });

  it('refuses a function by its type', () => {
    expect(() => toAttributeValue(() => 1)).toThrow(/type Function given to commit/);
  });
});

/** Both kinds of table over a client of which one operation answers so. */
function tables(answer: () => Promise<object>): [string, Table, jest.Mock][] {
  const sdk3 = jest.fn(answer);
  const sdk2 = jest.fn(answer);
  const operation = (input: unknown) => ({
    promise: () => (sdk2 as (input: unknown) => Promise<object>)(input),
  });
  return [
    [
      'SDK v3',
      clientTable({ updateItem: sdk3, deleteItem: sdk3, getItem: sdk3, transactWriteItems: sdk3 } as never),
      sdk3,
    ],
    [
      'SDK v2',
      documentClientTable({ update: operation, delete: operation, get: operation, transactWrite: operation }),
      sdk2,
    ],
  ];
}

describe.each([0, 1])('a table', (index) => {
  const pick = (answer: () => Promise<object>) => tables(answer)[index] as [string, Table, jest.Mock];

  it('asks for the old item, also on refusal', async () => {
    const [, table, sent] = pick(async () => ({}));
    expect(await table.update(update)).toEqual({ written: true, old: undefined });
    expect(sent.mock.calls[0]?.[0]).toMatchObject({
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    expect(await table.delete(condition)).toEqual({ written: true, old: undefined });
  });

  it('answers with the old item', async () => {
    const attributes = index === 0 ? { pk: { S: 'k' } } : { pk: 'k' };
    const [, table] = pick(async () => ({ Attributes: attributes }));
    expect(await table.update(update)).toEqual({ written: true, old: { pk: 'k' } });
  });

  it('reads consistently', async () => {
    const [, table, sent] = pick(async () => ({}));
    expect(await table.get(key)).toBeUndefined();
    expect(sent.mock.calls[0]?.[0]).toMatchObject({ TableName: 't', ConsistentRead: true });
  });

  it('tells a refusal, with the item if there is one, from a failure', async () => {
    const [, refusing] = pick(() =>
      Promise.reject(failure('ConditionalCheckFailedException', { Item: { pk: { S: 'k' } } })),
    );
    expect(await refusing.update(update)).toEqual({ written: false, found: { pk: 'k' } });
    expect(await refusing.delete(condition)).toEqual({ written: false, found: { pk: 'k' } });
    const [, silent] = pick(() => Promise.reject(failure('ConditionalCheckFailedException')));
    expect(await silent.update(update)).toEqual({ written: false, found: undefined });
    const [, failing] = pick(() => Promise.reject(failure('ThrottlingException')));
    await expect(failing.update(update)).rejects.toThrow('refused');
    await expect(failing.transact([], 'token')).rejects.toThrow('refused');
  });

  it('sends a transaction with its token, and tells why it was cancelled', async () => {
    const [, table, sent] = pick(async () => ({}));
    const items = [{ Put: { TableName: 't', Item: { pk: 'a', n: 1 } } }];
    expect(await table.transact(items, 'token')).toEqual({ written: true });
    expect(sent.mock.calls[0]?.[0]).toMatchObject({ ClientRequestToken: 'token' });
    const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }, {}];
    const [, listing] = pick(() =>
      Promise.reject(failure('TransactionCanceledException', { CancellationReasons: reasons })),
    );
    expect(await listing.transact(items, 'token')).toMatchObject({
      reasons: ['None', 'ConditionalCheckFailed', 'None'],
    });
    const message =
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]';
    const [, telling] = pick(() => Promise.reject(failure('TransactionCanceledException', { message })));
    expect(await telling.transact(items, 'token')).toMatchObject({
      reasons: ['None', 'TransactionConflict'],
    });
    const [, mute] = pick(() => Promise.reject(failure('TransactionCanceledException')));
    expect(await mute.transact(items, 'token')).toMatchObject({ reasons: [] });
  });
});

describe('a cancelled transaction', () => {
  const lease = { key: 'k', owner: 'me', attempt: 1, endsAt: 9e9, outlives: 0 };
  const item = { Delete: { TableName: 't', Key: { id: 1 } } };
  const completed = (reasons: string[]) => {
    const table = { transact: async () => ({ written: false, reasons, cause: 'why' }) } as never;
    return createStore(table, 't', new VirtualClock()).complete(lease, { expiresAt: 1 }, [item], FOREVER);
  };

  it('may succeed a moment later where another transaction was in its way, or the table was throttled', async () => {
    for (const reason of ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']) {
      const error = (await completed(['None', reason]).catch((e) => e)) as StoreError;
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ retryable: true, message: expect.stringContaining(reason) });
    }
  });

  it('is nobody’s where an item of the work was refused', async () => {
    expect(await completed(['None', 'ValidationError'])).toEqual({
      by: 'nobody',
      index: 0,
      reason: 'ValidationError',
      cause: 'why',
    });
    // Not the item that will pass, but the one that will not.
    expect(await completed(['None', 'TransactionConflict', 'ConditionalCheckFailed'])).toMatchObject({
      by: 'nobody',
      index: 1,
    });
  });

  it('says that it does not know where DynamoDB gives no reason', async () => {
    await expect(completed([])).rejects.toThrow(/Could not commit .* not known to be committed/);
  });
});

describe('errors of the table', () => {
  const failing = (error: unknown) => {
    const table = {
      update: () => Promise.reject(error),
      get: () => Promise.reject(error),
      delete: () => Promise.reject(error),
    };
    return createStore(table as never, 'orders', new VirtualClock());
  };
  const claim = { key: 'k', owner: 'me', lockSeconds: 30, orphans: { take: true } as const };

  it.each([
    ['ThrottlingException', true, /throttled/],
    ['InternalServerError', true, /failed on its side/],
    ['TimeoutError', true, /did not answer in time/],
    ['ECONNRESET', true, /no connection to DynamoDB/],
    [
      'ResourceNotFoundException',
      false,
      /does not exist in this account and region. Check IDEMPOTENCY_TABLE/,
    ],
    ['AccessDeniedException', false, /Attach the module’s policy/],
    ['ExpiredTokenException', false, /sign in again/],
    ['SomethingElse', false, /SomethingElse: refused\. The work was not run/],
  ])('%s: named, explained, and worth another try: %p', async (name, retryable, message) => {
    const error = (await failing(failure(name))
      .claim(claim, FOREVER)
      .catch((e) => e)) as StoreError;
    expect(error).toMatchObject({ retryable, message: expect.stringMatching(message) });
  });

  it('knows an error by its name where its code says nothing, and the other way round', async () => {
    const byName = await failing(Object.assign(new Error('x'), { name: 'TimeoutError', code: 23 }))
      .claim(claim, FOREVER)
      .catch((e) => e);
    expect(byName).toMatchObject({ retryable: true });
    const byCode = await failing(Object.assign(new Error('x'), { code: 'ECONNRESET' }))
      .claim(claim, FOREVER)
      .catch((e) => e);
    expect(byCode).toMatchObject({ retryable: true });
  });

  it.each([{ $metadata: { httpStatusCode: 503 } }, { statusCode: 503 }])(
    'understands an answer in a format of its own by its status: %j',
    async (response) => {
      const error = await failing(Object.assign(new SyntaxError('<html>'), response))
        .claim(claim, FOREVER)
        .catch((e) => e);
      expect(error).toMatchObject({
        retryable: true,
        message: expect.stringMatching(/HTTP 503: DynamoDB failed/),
      });
    },
  );

  it('explains even what is no error', async () => {
    await expect(failing('broken').claim(claim, FOREVER)).rejects.toThrow(/unknown error: broken/);
  });

  it('says which step failed, and what that means', async () => {
    const store = failing(failure('ThrottlingException'));
    const lease = { key: 'k', owner: 'me', attempt: 1, endsAt: 9e9, outlives: 0 };
    await expect(store.find('k', FOREVER)).rejects.toThrow(/Could not read .* The work was not run/);
    await expect(store.extend(lease, 1, FOREVER)).rejects.toThrow(
      /Could not extend .* The lock ends when it would have/,
    );
    await expect(store.release(lease, FOREVER)).rejects.toThrow(
      /Could not release .* until its lock has ended/,
    );
  });
});
