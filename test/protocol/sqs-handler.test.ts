import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { createRunOnce } from '../../layer/create-run-once';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { type FaultyProxy, startFaultyProxy } from '../../scripts/faulty-proxy';
import { createTable } from './create-table';

// The example's own handler, by the layer's own client, on a table that is throttled when the test says so.
let emulator: Emulator;
let proxy: FaultyProxy;
let throttled: (request: number) => boolean;
let handler: typeof import('../../examples/sqs-orders/src/confirm-retail.mjs').handler;
let sqs: SQSClient;
let outbox: string;
let count = 0;

const environment = { ...process.env };

beforeAll(async () => {
  emulator = await startEmulator();
  let requests = 0;
  throttled = () => false;
  proxy = await startFaultyProxy(emulator.endpoint, () => (throttled(requests++) ? 'throttled' : 'answered'));
  Object.assign(process.env, emulator.env, {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint,
    IDEMPOTENCY_TABLE: 'sqs-handler',
  });
  const dynamodb = new DynamoDBClient({ endpoint: emulator.endpoint });
  await createTable(dynamodb, 'sqs-handler');
  dynamodb.destroy();
  sqs = new SQSClient({});
  outbox = (await sqs.send(new CreateQueueCommand({ QueueName: 'outbox' }))).QueueUrl as string;
  process.env.OUTBOX_URL = outbox;
  ({ handler } = await import('../../examples/sqs-orders/src/confirm-retail.mjs'));
  jest.spyOn(console, 'log').mockImplementation(() => {});
});

afterAll(async () => {
  sqs.destroy();
  await proxy.stop();
  await emulator.stop();
  process.env = environment;
});

beforeEach(() => {
  throttled = () => false;
});

const record = (body: object | string): SQSRecord =>
  ({
    messageId: `message ${++count}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }) as SQSRecord;

const order = () => ({ id: `order ${++count}`, email: 'customer@example.com' });

const context = (milliseconds = 10_000) => {
  const end = Date.now() + milliseconds;
  return { getRemainingTimeInMillis: () => end - Date.now() } as Context;
};

const handle = (...Records: SQSRecord[]) => handler({ Records } as SQSEvent, context());

async function confirmationsOf({ id }: { id: string }): Promise<number> {
  const messages: Message[] = [];
  for (let polls = 0; polls < 3; polls++) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: outbox, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
    );
    messages.push(...Messages);
  }
  const ids = messages
    .filter(({ Body }) => JSON.parse(Body as string).order === id)
    .map((its) => its.MessageId);
  return new Set(ids).size;
}

it('R18: runs equal keys of one batch once, and all their records succeed', async () => {
  const one = order();
  const other = order();
  await expect(handle(record(one), record(other), record(one), record(one))).resolves.toEqual({
    batchItemFailures: [],
  });
  expect(await confirmationsOf(one)).toBe(1);
  expect(await confirmationsOf(other)).toBe(1);
});

it('R22: has nothing to report of an empty batch', async () => {
  await expect(handle()).resolves.toEqual({ batchItemFailures: [] });
});

it('R22: reports only the record whose claim was throttled, and runs it when it comes again', async () => {
  const [before, during, after] = [order(), order(), order()];
  const throttledRecord = record(during);
  let from = Number.POSITIVE_INFINITY;
  // The first record takes two requests; the second one's claim is throttled at each of the client's three tries.
  throttled = (request) => {
    if (from === Number.POSITIVE_INFINITY) from = request + 2;
    return request >= from && request < from + 3;
  };
  await expect(handle(record(before), throttledRecord, record(after))).resolves.toEqual({
    batchItemFailures: [{ itemIdentifier: throttledRecord.messageId }],
  });
  expect(await Promise.all([before, during, after].map(confirmationsOf))).toEqual([1, 0, 1]);
  await expect(handle(throttledRecord)).resolves.toEqual({ batchItemFailures: [] });
  expect(await confirmationsOf(during)).toBe(1);
});

it('R9, R22: sends an order without an id back, and no two of them under one key', async () => {
  const nameless = [record({ email: 'a@example.com' }), record({ email: 'b@example.com' })];
  await expect(handle(...nameless)).resolves.toEqual({
    batchItemFailures: nameless.map(({ messageId }) => ({ itemIdentifier: messageId })),
  });
});

it('R18: in parallel, equal keys run once too, when the second waits for the first', async () => {
  const runOnce = createRunOnce({ client: new DynamoDBClient({ endpoint: emulator.endpoint }) });
  let runs = 0;
  const work = async () => {
    await new Promise((done) => setTimeout(done, 300));
    return ++runs;
  };
  const options = { context: context(), whenInProgress: 'wait' as const };
  const answers = await Promise.all([1, 2, 3].map(() => runOnce('parallel', options, work)));
  expect({ answers, runs }).toEqual({ answers: [1, 1, 1], runs: 1 });
});

it('R22: sends a body that is no JSON where the handler has chosen: back, and in the end to the dead-letter queue', async () => {
  const malformed = record('not JSON');
  const good = order();
  await expect(handle(malformed, record(good))).resolves.toEqual({
    batchItemFailures: [{ itemIdentifier: malformed.messageId }],
  });
  expect(await confirmationsOf(good)).toBe(1);
});
