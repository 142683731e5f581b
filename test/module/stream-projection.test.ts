import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: { balances_table_name: string; log_group_name: string; stream_name: string };
}

type Balances = Record<string, { balance: number; bookings: number }>;

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

let emulator: Emulator;
let folder: string;
let example: Outputs['example'];
let dynamodb: DynamoDBClient;
let kinesis: KinesisClient;
let logs: CloudWatchLogsClient;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  dynamodb = new DynamoDBClient(client);
  kinesis = new KinesisClient(client);
  logs = new CloudWatchLogsClient(client);
  folder = workspace('stream-projection');
  const root = {
    module: { example: { source: '../../../examples/stream-projection' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's template.
    output: { example: { value: '${module.example}' } },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  for (const client of [dynamodb, kinesis, logs]) client.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ example } = await outputs<Outputs>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('counts each booking once: what a producer sends twice, and what comes again with one that failed', async () => {
  await open('ada', 'bob');
  await book(
    ['1', 'ada', 1000],
    ['2', 'bob', 500],
    ['3', 'carl', 200],
    ['4', 'ada', -300],
    ['2', 'bob', 500],
    ['5', 'carl', 50],
    ['1', 'ada', 1000],
  );
  await failures(2);
  expect((await balances()).carl).toBeUndefined();

  await open('carl');
  expect(await settledWith('carl', 2)).toEqual(BALANCES);
});

it('changes nothing when the whole stream is read again', async () => {
  const mapping = 'module.example.module.idempotency.aws_lambda_event_source_mapping.stream["bookings"]';
  await terraform(folder, ['apply', '-auto-approve', `-replace=${mapping}`], env());
  // Comes after all that is read again.
  await open('dora');
  await book(['6', 'dora', 7]);
  expect(await settledWith('dora', 1)).toEqual({ ...BALANCES, dora: { balance: 7, bookings: 1 } });
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

const BALANCES: Balances = {
  ada: { balance: 700, bookings: 2 },
  bob: { balance: 500, bookings: 1 },
  carl: { balance: 250, bookings: 2 },
};

async function open(...accounts: string[]): Promise<void> {
  const TableName = example.balances_table_name;
  for (const account of accounts) {
    await dynamodb.send(new PutItemCommand({ TableName, Item: { account: { S: account } } }));
  }
}

async function book(...bookings: [id: string, account: string, amount: number][]): Promise<void> {
  const record = ([id, account, amount]: (typeof bookings)[number]) => ({
    Data: Buffer.from(JSON.stringify({ id, account, amount })),
    PartitionKey: account,
  });
  await kinesis.send(
    new PutRecordsCommand({ StreamName: example.stream_name, Records: bookings.map(record) }),
  );
}

/** Waits until records have failed that many times, as the function's log says. */
async function failures(count: number): Promise<void> {
  const query = { logGroupName: example.log_group_name, filterPattern: 'IDEMPOTENCY_RECORD_FAILED' };
  await until(`${count} failures`, async () => {
    const { events = [] } = await logs.send(new FilterLogEventsCommand(query));
    return events.length >= count;
  });
}

async function settledWith(account: string, bookings: number): Promise<Balances> {
  let all: Balances = {};
  await until(`${bookings} bookings of ${account}`, async () => {
    all = await balances();
    return (all[account]?.bookings ?? 0) >= bookings;
  });
  return all;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`There were no ${what} within two minutes.`);
    await sleep(500);
  }
}

/** The accounts that something has been booked to. */
async function balances(): Promise<Balances> {
  const { Items = [] } = await dynamodb.send(
    new ScanCommand({ TableName: example.balances_table_name, ConsistentRead: true }),
  );
  const booked = Items.filter((item) => item.bookings !== undefined);
  return Object.fromEntries(
    booked.map(({ account, balance, bookings }) => [
      account?.S,
      { balance: Number(balance?.N), bookings: Number(bookings?.N) },
    ]),
  );
}
