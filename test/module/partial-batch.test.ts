import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { deterministicZip } from '../../scripts/deterministic-zip';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  queues: Record<'standard' | 'ordered', { url: string; dlq_url: string }>;
}

interface Message {
  id: string;
  group?: string;
  /** How many of its deliveries fail. */
  failures?: number;
}

// Provider and emulator are real, and SQS resources wait half a minute each for their attributes to settle.
jest.setTimeout(10 * 60_000);

// The fewest that the module takes.
const MAX_RECEIVE_COUNT = 5;

let emulator: Emulator;
let folder: string;
let logs: CloudWatchLogsClient;
let sqs: SQSClient;
let queues: Outputs['queues'];

// What is sent at once settles while the first of the tests waits.
beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  logs = new CloudWatchLogsClient(client);
  sqs = new SQSClient(client);
  folder = workspace('partial-batch');
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  const handler = readFileSync(join(import.meta.dirname, 'partial-batch-function.mjs'));
  writeFileSync(join(folder, 'function.zip'), deterministicZip({ 'handler.mjs': handler }));
  await terraform(folder, ['init']);
  await terraform(folder, ['apply', '-auto-approve'], { env: emulator.env });
  ({ queues } = await outputs<Outputs>(folder, { env: emulator.env }));

  await send(queues.standard.url, STANDARD);
  await send(queues.ordered.url, ORDERED);
});

afterAll(async () => {
  logs.destroy();
  sqs.destroy();
  await emulator.stop();
  remove(folder);
});

const STANDARD: Message[] = [
  { id: 'good 1' },
  { id: 'late 1', failures: 1 },
  { id: 'good 2' },
  { id: 'late 2', failures: 2 },
  { id: 'poison', failures: 100 },
  { id: 'good 3' },
];

const ORDERED: Message[] = [
  { id: 'a1', group: 'a' },
  { id: 'b1', group: 'b' },
  { id: 'a2', group: 'a', failures: 2 },
  { id: 'a3', group: 'a' },
  { id: 'b2', group: 'b' },
  { id: 'a4', group: 'a' },
];

it('delivers a message again until it is done, and none beside it', async () => {
  const { received, done } = await allDone(STANDARD.filter(({ id }) => id !== 'poison'));
  expect(countsOf(done)).toMatchObject({ 'good 1': 1, 'good 2': 1, 'good 3': 1, 'late 1': 1, 'late 2': 1 });
  expect(countsOf(received)).toMatchObject({
    'good 1': 1,
    'good 2': 1,
    'good 3': 1,
    'late 1': 2,
    'late 2': 3,
  });
});

it('keeps the order of a message group when one of its messages fails, and holds up no other group', async () => {
  const { received, done } = await allDone(ORDERED);
  expect(done.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(done.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2']);
  expect(done.indexOf('b2')).toBeLessThan(done.indexOf('a2'));
  // What follows a failure in its group comes again with it.
  expect(countsOf(received)).toMatchObject({ a1: 1, b1: 1, b2: 1, a2: 3, a3: 3, a4: 3 });
});

it('moves a message that always fails to the dead-letter queue, after as many deliveries as it may have', async () => {
  expect(await dead(queues.standard.dlq_url)).toEqual(['poison']);
  const { received, done } = await journal();
  expect(countsOf(received).poison).toBe(MAX_RECEIVE_COUNT);
  expect(done).not.toContain('poison');
});

const FUNCTION = 'partial-batch';

/** The module, and a function that both queues are mapped to. */
const root = {
  data: { aws_partition: { current: {} } },
  module: {
    idempotency: {
      source: '../../..',
      name: FUNCTION,
      table_deletion_protection: false,
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are Terraform's templates.
      role_names: { consumer: '${aws_iam_role.consumer.name}' },
      queues: Object.fromEntries(
        ['standard', 'ordered'].map((key) => [
          key,
          {
            // For a visibility timeout of six seconds.
            function_timeout: 1,
            function_name: '${aws_lambda_function.consumer.function_name}',
            fifo: key === 'ordered',
            max_receive_count: MAX_RECEIVE_COUNT,
            // The provider would wait another half a minute for each.
            redrive_allow: false,
            tls_only: false,
          },
        ]),
      ),
    },
  },
  resource: {
    aws_lambda_function: {
      consumer: {
        filename: 'function.zip',
        function_name: FUNCTION,
        handler: 'handler.handler',
        layers: ['${module.idempotency.layer_arn}'],
        role: '${aws_iam_role.consumer.arn}',
        runtime: 'nodejs22.x',
        // A busy machine starts it slowly; the visibility timeout is longer all the same.
        timeout: 5,
        environment: { variables: '${module.idempotency.environment}' },
      },
    },
    aws_cloudwatch_log_group: { consumer: { name: `/aws/lambda/${FUNCTION}` } },
    aws_iam_role: {
      consumer: {
        name: FUNCTION,
        assume_role_policy:
          '${jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }] })}',
      },
    },
  },
  output: { queues: { value: '${module.idempotency.queues}' } },
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are Terraform's templates.
};

async function send(url: string, messages: Message[]): Promise<void> {
  const entry = ({ id, group, failures = 0 }: Message, index: number) => ({
    Id: String(index),
    MessageBody: JSON.stringify({ id, failures }),
    ...(group && { MessageGroupId: group, MessageDeduplicationId: id }),
  });
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: messages.map(entry) }));
}

interface Journal {
  received: string[];
  done: string[];
}

/** What the function says in its log, in order. */
async function journal(): Promise<Journal> {
  const query = { logGroupName: `/aws/lambda/${FUNCTION}` };
  const { events = [] } = await logs.send(new FilterLogEventsCommand(query));
  // Lambda writes lines of its own between the function's.
  const entries = events
    .map(({ message = '' }) => /\{.*\}/.exec(message)?.[0])
    .filter((json) => json !== undefined)
    .map((json): { received?: string; done?: string } => JSON.parse(json));
  return {
    received: entries.flatMap(({ received }) => received ?? []),
    done: entries.flatMap(({ done }) => done ?? []),
  };
}

async function allDone(messages: Message[]): Promise<Journal> {
  const end = Date.now() + 90_000;
  for (;;) {
    const said = await journal();
    if (messages.every(({ id }) => said.done.includes(id))) return said;
    if (Date.now() > end) throw new Error(`Only ${said.done.join(', ')} were done within 90 seconds.`);
    await sleep(500);
  }
}

const countsOf = (ids: string[]) =>
  Object.fromEntries(ids.map((id) => [id, ids.filter((other) => other === id).length]));

/** The messages of a dead-letter queue, once there are any. */
async function dead(url: string): Promise<string[]> {
  const end = Date.now() + 90_000;
  while (Date.now() < end) {
    const receive = { QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive));
    if (Messages.length > 0) return Messages.map(({ Body = '' }) => JSON.parse(Body).id);
  }
  throw new Error('The dead-letter queue was empty for 90 seconds.');
}
