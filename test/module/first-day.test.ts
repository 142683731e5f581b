/**
 * A first day with it: what the README and the guides say, done as they say it. Their blocks are deployed as they are;
 * added is only what they leave to the reader.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { transform } from 'esbuild';
import { execa } from 'execa';
import { deterministicZip } from '../../scripts/deterministic-zip';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { blocksOf } from '../docs/code-blocks';
import { remove, workspace } from './workspace';

// Provider and emulator are real, and a lock of the handler's 30 seconds is waited for.
jest.setTimeout(10 * 60_000);

const LOG_GROUP = '/aws/lambda/orders';
const TABLE = 'orders';

let emulator: Emulator;
let folder: string;
let queueUrl: string;
let sqs: SQSClient;
let logs: CloudWatchLogsClient;
const env = () => ({ env: emulator.env });

/** The one block of a page that has this in it. */
function block(page: string, language: string, text: string): string {
  const found = blocksOf(page, language).filter((code) => code.includes(text));
  if (found.length !== 1)
    throw new Error(`${page} must have one block with "${text}", but has ${found.length}.`);
  return found[0] as string;
}

const READERS_OWN = `
resource "aws_iam_role" "orders" {
  name = "orders"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy_attachment" "logs" {
  role       = aws_iam_role.orders.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
}

resource "aws_sns_topic" "on_call" {
  name = "on-call"
}
`;

/** The mail of the README's handler. It is in the log that it was sent, and an order may be the process's last. */
const SEND = `
async function send({ id, dies }) {
  if (dies) process.exit(1);
  console.log(JSON.stringify({ sent: id }));
  return { sent: true };
}
`;

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  sqs = new SQSClient(client);
  logs = new CloudWatchLogsClient(client);
  folder = workspace('first-day');

  const module = block('README.md', 'hcl', 'module "idempotency"')
    .replace(/"git::https:[^"]*"/, '"../../.."')
    // A test has to clean up.
    .replace(/\n}\n$/, `\n\n  table_deletion_protection = false\n\n${toBeTold()}}\n`);
  const attach = block('README.md', 'hcl', 'resource "aws_lambda_function" "orders"');
  const output = block('docs/quick-start.md', 'hcl', 'output "queue_url"');
  writeFileSync(join(folder, 'main.tf'), [module, attach, output, READERS_OWN].join('\n'));

  const handler = block('README.md', 'ts', 'lockSecondsFor(context), () => send(order)');
  const { code } = await transform(handler + SEND, { loader: 'ts', format: 'esm', target: 'node22' });
  writeFileSync(join(folder, 'orders.zip'), deterministicZip({ 'index.mjs': Buffer.from(code) }));
  await terraform(folder, ['init']);
});

const toBeTold = () =>
  block('docs/terraform.md', 'hcl', 'topic_arns = [aws_sns_topic.on_call.arn]').replace(/^/gm, '  ');

afterAll(async () => {
  sqs.destroy();
  logs.destroy();
  await emulator.stop();
  remove(folder);
});

it('the README’s blocks are applied at once, and have nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ queue_url: queueUrl } = await outputs<{ queue_url: string }>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('the same message twice sends one mail, and the command line shows the one record', async () => {
  await order({ id: '1042' });
  // One that came while the first is under way would come again after the queue's visibility timeout, minutes later.
  await found(({ Executed }) => Executed === 1);
  await order({ id: '1042' });
  await found(({ Replayed }) => Replayed === 1);
  expect(await sent('1042')).toBe(1);
  expect(await runOnce(['inspect', 'order-confirmation#1042'])).toMatchObject({
    state: 'completed',
    attempt: 1,
  });
});

it('a stuck key is found and released, and its next message is done', async () => {
  await order({ id: '7', dies: true });
  const stuck = await eventually(async () => {
    const records = await runOnceLines(['list', '--status', 'in-progress']);
    return records.length > 0 ? records : undefined;
  });
  expect(stuck).toMatchObject([{ key: 'order-confirmation#7', state: 'inProgress', attempt: 1 }]);

  await runOnce(['release', 'order-confirmation#7', '--yes']);
  await order({ id: '7' });
  await eventually(async () => (await sent('7')) || undefined);
  await runOnce(['wait', 'order-confirmation#7', '--timeout', '30s']);
  expect(await runOnce(['inspect', 'order-confirmation#7'])).toMatchObject({
    state: 'completed',
    attempt: 1,
  });
});

it('an alarm is traced to its record', async () => {
  await order({ id: '8', dies: true });
  await eventually(async () => (await runOnceLines(['list', '--status', 'in-progress']))[0]);
  const wait = await cli(['wait', 'order-confirmation#8', '--timeout', '2m']);
  expect(wait.exitCode).toBe(7); // The run has died, docs/cli.md says.
  await order({ id: '8' });

  // The line that raises the alarm: of its namespace, metric and dimensions.
  const alarm = await alarmOn('TakenOver');
  const line = await found(({ TakenOver }) => TakenOver === 1);
  const [directive] = line._aws.CloudWatchMetrics;
  expect(directive.Namespace).toBe(alarm.namespace);
  expect(directive.Dimensions).toContainEqual(Object.keys(alarm.dimensions));
  expect(line).toMatchObject(alarm.dimensions);
  expect(alarm.alarm_actions).toEqual([expect.stringMatching(/:on-call$/)]);

  // From the line to the record.
  const [{ outcome, keyHash }] = line.Keys;
  expect(outcome).toBe('takenOver');
  await runOnce(['wait', 'order-confirmation#8', '--timeout', '30s']);
  expect(await runOnceLines(['list', '--hash', keyHash])).toMatchObject([
    { key: 'order-confirmation#8', state: 'completed', attempt: 2 },
  ]);
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

interface Order {
  id: string;
  dies?: boolean;
}

async function order(body: Order): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(body) }));
}

/** The command line, with what a shell has: the table and AWS's own variables. */
async function cli(args: string[]) {
  const main = join(import.meta.dirname, '../../cli/main.ts');
  return await execa(process.execPath, ['--import', 'tsx', main, ...args, '--json'], {
    env: { ...emulator.env, IDEMPOTENCY_TABLE: TABLE },
    stdin: 'ignore',
    reject: false,
  });
}

async function runOnceLines(args: string[]) {
  const { exitCode, stdout, stderr } = await cli(args);
  if (exitCode !== 0) throw new Error(`run-once ${args.join(' ')} exits with ${exitCode}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const runOnce = async (args: string[]) => (await runOnceLines(args))[0];

/** The first line of the metrics of which that holds, once it is there. */
async function found(holds: (line: Record<string, unknown>) => boolean) {
  return await eventually(async () => (await jsonLines()).find((line) => '_aws' in line && holds(line)));
}

const sent = async (id: string) => (await jsonLines()).filter((line) => line.sent === id).length;

// biome-ignore lint/suspicious/noExplicitAny: whatever the function prints.
async function jsonLines(): Promise<any[]> {
  const lines: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents(
    { client: logs },
    { logGroupName: LOG_GROUP },
  )) {
    lines.push(...events.flatMap(({ message = '' }) => message.match(/\{.*\}/g) ?? []));
  }
  return lines.map((line) => JSON.parse(line));
}

async function alarmOn(metric: string) {
  interface Resource {
    type: string;
    values: {
      namespace: string;
      metric_name: string;
      dimensions: Record<string, string>;
      alarm_actions: string[];
    };
  }
  const { values } = JSON.parse(await terraform(folder, ['show', '-json'], env()));
  const [{ resources }] = values.root_module.child_modules as [{ resources: Resource[] }];
  const alarm = resources.find(
    ({ type, values }) => type === 'aws_cloudwatch_metric_alarm' && values.metric_name === metric,
  );
  if (alarm === undefined) throw new Error(`There is no alarm on ${metric}.`);
  return alarm.values;
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + 90_000;
  for (;;) {
    const seen = await look().catch((error) => {
      // The log group comes with the first invocation.
      if ((error as Error).name === 'ResourceNotFoundException') return undefined;
      throw error;
    });
    if (seen !== undefined) return seen;
    if (Date.now() > until) throw new Error('It has not come to pass within 90 seconds.');
    await sleep(500);
  }
}
