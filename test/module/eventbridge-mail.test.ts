import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: {
    bus_name: string;
    customers_table_name: string;
    function_name: string;
    given_up_url: string;
    outbox_table_name: string;
  };
}

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

let emulator: Emulator;
let folder: string;
let example: Outputs['example'];
let dynamodb: DynamoDBClient;
let events: EventBridgeClient;
let lambda: LambdaClient;
let sqs: SQSClient;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  dynamodb = new DynamoDBClient(client);
  events = new EventBridgeClient(client);
  lambda = new LambdaClient(client);
  sqs = new SQSClient(client);
  folder = workspace('eventbridge-mail');
  const root = {
    module: { example: { source: '../../../examples/eventbridge-mail' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's template.
    output: { example: { value: '${module.example}' } },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  for (const client of [dynamodb, events, lambda, sqs]) client.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ example } = await outputs<Outputs>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('mails once for an order that is published twice, each time as an event of its own', async () => {
  await register('ada');
  await publish({ id: '1', customer: 'ada' }, { id: '1', customer: 'ada' }, { id: '2', customer: 'ada' });
  await mailed('1', '2');
});

it('hands back what was given up after the last retry, and mails for it once', async () => {
  // Without an address, all tries fail.
  await publish({ id: '3', customer: 'bob' });
  const givenUp = await givenUpEvent();
  expect(givenUp).toMatchObject({ source: 'shop.orders', detail: { id: '3' } });
  await mailed('1', '2');

  await register('bob');
  await invoke(givenUp);
  await mailed('1', '2', '3');
  await invoke(givenUp);
  await publish({ id: '3', customer: 'bob' }, { id: '4', customer: 'bob' });
  await mailed('1', '2', '3', '4');
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

async function register(customer: string): Promise<void> {
  const Item = { id: { S: customer }, email: { S: `${customer}@example.com` } };
  await dynamodb.send(new PutItemCommand({ TableName: example.customers_table_name, Item }));
}

async function publish(...orders: { id: string; customer: string }[]): Promise<void> {
  const Entries = orders.map((order) => ({
    EventBusName: example.bus_name,
    Source: 'shop.orders',
    DetailType: 'OrderPlaced',
    Detail: JSON.stringify(order),
  }));
  const { FailedEntryCount } = await events.send(new PutEventsCommand({ Entries }));
  expect(FailedEntryCount).toBe(0);
}

async function invoke(event: unknown): Promise<void> {
  const call = { FunctionName: example.function_name, InvocationType: 'Event' } as const;
  await lambda.send(new InvokeCommand({ ...call, Payload: JSON.stringify(event) }));
}

/** Waits until there are as many mails as orders, and for what else may come. */
async function mailed(...orders: string[]): Promise<void> {
  const end = Date.now() + 60_000;
  while ((await outbox()).length < orders.length) {
    if (Date.now() > end) throw new Error(`There were no ${orders.length} mails within a minute.`);
    await sleep(300);
  }
  // What is repeated says nowhere that it is done.
  await sleep(3_000);
  expect((await outbox()).sort()).toEqual(orders);
}

/** The order of each mail. */
async function outbox(): Promise<(string | undefined)[]> {
  const { Items = [] } = await dynamodb.send(
    new ScanCommand({ TableName: example.outbox_table_name, ConsistentRead: true }),
  );
  return Items.map(({ order }) => order?.S);
}

/** The event that Lambda has given up, as it was delivered. */
async function givenUpEvent(): Promise<unknown> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    const receive = { QueueUrl: example.given_up_url, WaitTimeSeconds: 5 };
    const [message] = (await sqs.send(new ReceiveMessageCommand(receive))).Messages ?? [];
    if (message) return JSON.parse(message.Body ?? '').requestPayload;
  }
  throw new Error('Nothing was given up within a minute.');
}
