import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { execa } from 'execa';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: { function_name: string; ledger_table_name: string; log_group_name: string };
}

interface Call {
  answer: { receipt?: string; errorMessage?: string };
  tries: number;
}

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

let emulator: Emulator;
let folder: string;
let example: Outputs['example'];
let dynamodb: DynamoDBClient;
let logs: CloudWatchLogsClient;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  dynamodb = new DynamoDBClient(client);
  logs = new CloudWatchLogsClient(client);
  folder = workspace('sdk-caller');
  const root = {
    module: { example: { source: '../../../examples/sdk-caller' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's template.
    output: { example: { value: '${module.example}' } },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  dynamodb.destroy();
  logs.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ example } = await outputs<Outputs>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('books once for a caller that timed out and was invoked for again, and answers it', async () => {
  const { answer, tries } = await call('1');

  expect(tries).toBeGreaterThanOrEqual(2);
  await invocations(tries);
  expect(await receipts('1')).toEqual([answer.receipt]);
});

it('answers a later caller the same, at once', async () => {
  const [receipt] = await receipts('1');
  expect(await call('1')).toEqual({ answer: { receipt }, tries: 1 });
  expect(await receipts('1')).toEqual([receipt]);
});

it('answers callers at the same time the same', async () => {
  const before = await invocations(0);
  const calls = await Promise.all([call('2'), call('2')]);

  // Whoever starts first times out; the other one may just see it through.
  const tries = calls.reduce((sum, made) => sum + made.tries, 0);
  expect(tries).toBeGreaterThanOrEqual(3);
  await invocations(before + tries);
  const [receipt, ...others] = await receipts('2');
  expect(others).toEqual([]);
  expect(calls.map(({ answer }) => answer)).toEqual([{ receipt }, { receipt }]);
});

it('refuses another transfer under an identifier that was used', async () => {
  const { answer } = await call('1', 99);
  expect(answer.errorMessage).toMatch(/^The key has been used for another request/);
  expect(await receipts('1')).toHaveLength(1);
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

/** Runs the example's caller as it is. */
async function call(id: string, amount = 1250): Promise<Call> {
  const caller = join(import.meta.dirname, '../../examples/sdk-caller/src/caller.ts');
  const { stdout, stderr } = await execa(
    process.execPath,
    ['--import', 'tsx', caller, example.function_name, id, String(amount)],
    { env: emulator.env, reject: false },
  );
  if (!stdout) throw new Error(`The caller printed nothing: ${stderr}`);
  return JSON.parse(stdout);
}

/** The receipts that the bank's ledger has for a transfer. */
async function receipts(id: string): Promise<(string | undefined)[]> {
  const { Items = [] } = await dynamodb.send(
    new ScanCommand({ TableName: example.ledger_table_name, ConsistentRead: true }),
  );
  return Items.filter((item) => item.transfer?.S === id).map((item) => item.receipt?.S);
}

/** How often the function was invoked, once the log says so of as many as expected. */
async function invocations(expected: number): Promise<number> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { length } = await startLines();
    if (length >= expected) return length;
    if (Date.now() > until) throw new Error(`The log has ${length} invocations, not ${expected}.`);
    await sleep(500);
  }
}

async function startLines(): Promise<string[]> {
  const lines: string[] = [];
  const request = { logGroupName: example.log_group_name };
  for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, request)) {
    lines.push(...events.map(({ message = '' }) => message).filter((line) => line.startsWith('START ')));
  }
  return lines;
}
