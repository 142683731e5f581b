import { jest } from '@jest/globals';
import { createRunOnce, runOnce } from '../../layer/create-run-once';
import { ConfigurationError, InvalidKeyError, StillInProgressError } from '../../layer/errors';

const VARIABLES = ['IDEMPOTENCY_TABLE', 'IDEMPOTENCY_KEY_PREFIX', 'IDEMPOTENCY_KEEP_FOR_SECONDS'];

beforeEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

/** An aggregated client, which records its calls in place of sending them. */
function client() {
  return {
    updateItem: jest.fn(async (_input: Record<string, unknown>) => ({})),
    deleteItem: jest.fn(async (_input: Record<string, unknown>) => ({})),
    getItem: jest.fn(async (_input: Record<string, unknown>) => ({})),
    transactWriteItems: jest.fn(async (_input: Record<string, unknown>) => ({})),
  };
}

const sent = (spy: ReturnType<typeof client>, call: number) =>
  spy.updateItem.mock.calls[call]?.[0] as {
    TableName: string;
    Key: unknown;
    ExpressionAttributeValues: Record<string, { N: string }>;
  };

const retentionOf = (spy: ReturnType<typeof client>) =>
  Number(sent(spy, 1).ExpressionAttributeValues[':expiresAt']?.N) - Date.now() / 1000;

it('takes table, prefix and retention from its options', async () => {
  const spy = client();
  const own = createRunOnce({ tableName: 'own', client: spy, keyPrefix: 'shop#', keepForSeconds: 90 });
  await own('order#7', 30, () => 'sent');
  expect(sent(spy, 0)).toMatchObject({ TableName: 'own', Key: { pk: { S: 'shop#order#7' } } });
  expect(retentionOf(spy)).toBeGreaterThan(85);
  expect(retentionOf(spy)).toBeLessThan(92);
});

it('takes them from the environment, and keeps results for 24 hours where nothing is said', async () => {
  process.env.IDEMPOTENCY_TABLE = 'of-the-environment';
  process.env.IDEMPOTENCY_KEY_PREFIX = 'mail#';
  const spy = client();
  await createRunOnce({ client: spy })('k', 30, () => 'sent');
  expect(sent(spy, 0)).toMatchObject({ TableName: 'of-the-environment', Key: { pk: { S: 'mail#k' } } });
  expect(retentionOf(spy)).toBeGreaterThan(86_390);

  process.env.IDEMPOTENCY_KEEP_FOR_SECONDS = '120';
  const other = client();
  await createRunOnce({ client: other })('k', 30, () => 'sent');
  expect(retentionOf(other)).toBeLessThan(122);
});

it('says at the first call, not at the import, that no table is named', async () => {
  await expect(runOnce('k', 30, () => 'sent')).rejects.toThrow(/Set IDEMPOTENCY_TABLE/);
});

it.each([
  [{ tableNme: 'x' }, /no option tableNme/],
  [{}, /No table is named/],
  [{ tableName: 't', keepForSeconds: 0 }, /from 1 to 315360000 \(ten years\), but it is 0/],
  [{ tableName: 't', keepForSeconds: Number.NaN }, /from 1 to/],
  [{ tableName: 't', keepForSeconds: 1_800_000_000_000 }, /ten years/],
  [{ tableName: {} }, /tableName must be a string, but it is of type object/],
  [{ tableName: 't', keyPrefix: 7 }, /keyPrefix must be a string/],
  [null, /takes an object of options/],
  [{ tableName: 't', client: client(), documentClient: {} }, /Leave one out/],
])('refuses %p', (config, message) => {
  expect(() => createRunOnce(config as never)).toThrow(ConfigurationError);
  expect(() => createRunOnce(config as never)).toThrow(message);
});

it.each(['', 'a day', '-1'])('refuses IDEMPOTENCY_KEEP_FOR_SECONDS=%p', (value) => {
  process.env.IDEMPOTENCY_KEEP_FOR_SECONDS = value;
  expect(() => createRunOnce({ tableName: 't' })).toThrow(
    /Correct the option or IDEMPOTENCY_KEEP_FOR_SECONDS/,
  );
});

it('names the way out for a client that is too old for the layer’s commands', async () => {
  const old = { send: jest.fn(async () => ({})), config: {} };
  await expect(createRunOnce({ tableName: 't', client: old })('k', 30, () => 1)).rejects.toThrow(
    /Pass new DynamoDB\(/,
  );
  expect(old.send).not.toHaveBeenCalled();
});

it('takes an own cache, and a DocumentClient', async () => {
  const update = jest.fn(() => ({ promise: async () => ({}) }));
  const documentClient = { update, delete: update, get: update, transactWrite: update };
  const cached = createRunOnce({ tableName: 't', documentClient, cache: true });
  await cached('k', 30, () => 'sent');
  await cached('k', 30, () => 'again');
  expect(update).toHaveBeenCalledTimes(2);
  expect(() => createRunOnce({ tableName: 't', cache: { maxRecords: -1 } })).toThrow(ConfigurationError);
});

it('runs by the system’s clock, with waits that end', async () => {
  const item = {
    pk: { S: 'k' },
    owner: { S: 'o' },
    status: { S: 'IN_PROGRESS' },
    expiresAt: { N: '9000000000' },
  };
  const refusal = Object.assign(new Error('refused'), {
    name: 'ConditionalCheckFailedException',
    Item: item,
  });
  const spy = {
    ...client(),
    updateItem: async () => Promise.reject(refusal),
    getItem: async () => ({ Item: item }),
  };
  const waiting = createRunOnce({ tableName: 't', client: spy })(
    'k',
    { lockSeconds: 1, whenInProgress: 'wait', waitSeconds: 0.1 },
    () => 1,
  );
  await expect(waiting).rejects.toThrow(StillInProgressError);
});

it('sends the layer’s own commands by a client that has only send', async () => {
  const sent: string[] = [];
  const send = jest.fn(async (command: object) => {
    sent.push(command.constructor.name);
    return {};
  });
  const own = createRunOnce({ tableName: 't', client: { send, config: { protocol: {} } } });
  send.mockRejectedValueOnce(
    Object.assign(new Error('refused'), { name: 'ConditionalCheckFailedException' }),
  );
  await own('k', 30, (run) => run.commit({ Delete: { TableName: 't', Key: { id: 1 } } }));
  await expect(own('k', 30, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(sent).toEqual([
    'GetItemCommand',
    'UpdateItemCommand',
    'TransactWriteItemsCommand',
    'UpdateItemCommand',
    'DeleteItemCommand',
  ]);
});

it('creates its own client on first use, by the SDK’s usual configuration', async () => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  await expect(createRunOnce({ tableName: 't' })('k', 30, () => 1)).rejects.toThrow(/ECONNREFUSED/);
});

it('is set up by the environment once, at the first call', async () => {
  process.env.IDEMPOTENCY_TABLE = 'of-the-environment';
  await expect(runOnce('', 30, () => 1)).rejects.toThrow(InvalidKeyError);
  delete process.env.IDEMPOTENCY_TABLE;
  await expect(runOnce('', 30, () => 1)).rejects.toThrow(InvalidKeyError);
});
