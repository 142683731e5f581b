import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: {
    queues: Record<'charges' | 'refunds', { url: string; dlq_url: string }>;
    function_names: Record<'charges' | 'ledger' | 'receipts' | 'refunds', string>;
    given_up_url: string;
    outbox_url: string;
    stream_name: string;
  };
}

// Provider and emulator are real, and SQS resources wait half a minute each for their attributes to settle.
jest.setTimeout(15 * 60_000);

let emulator: Emulator;
let folder: string;
let example: Outputs['example'];
let kinesis: KinesisClient;
let lambda: LambdaClient;
let sqs: SQSClient;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  kinesis = new KinesisClient(client);
  lambda = new LambdaClient(client);
  sqs = new SQSClient(client);
  folder = workspace('complete');
  const root = {
    module: { example: { source: '../../../examples/complete' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's template.
    output: { example: { value: '${module.example}' } },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  for (const client of [kinesis, lambda, sqs]) client.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ example } = await outputs<Outputs>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('has each effect once, by whatever way its event comes twice', async () => {
  const deliver = async (ids: string[]) => {
    await send(example.queues.charges.url, ids);
    await send(example.queues.refunds.url, ids, 'order-1');
    await invoke(example.function_names.receipts, ids);
    await put(example.stream_name, ids);
  };
  const expected = ['book', 'charge', 'receipt', 'refund'].flatMap((what) => [`${what} 1`, `${what} 2`]);

  await deliver(['1', '2', '1']);
  const effects = await collect(expected.length);
  await deliver(['2', '1']);
  await Promise.all([drained(example.queues.charges.url), drained(example.queues.refunds.url)]);
  // Neither the invocations nor the stream tell when they are done.
  await sleep(5_000);
  effects.push(...(await collect(0)));

  expect(effects.sort()).toEqual(expected);
  for (const url of [example.queues.charges.dlq_url, example.queues.refunds.dlq_url, example.given_up_url]) {
    expect(await depth(url)).toBe(0);
  }
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

const bodyOf = (id: string) => JSON.stringify({ id });

/** Each a message of its own, also for a FIFO queue. */
async function send(url: string, ids: string[], group?: string): Promise<void> {
  const entry = (id: string, index: number) => ({
    Id: String(index),
    MessageBody: bodyOf(id),
    ...(group && { MessageGroupId: group, MessageDeduplicationId: crypto.randomUUID() }),
  });
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: ids.map(entry) }));
}

async function invoke(name: string, ids: string[]): Promise<void> {
  for (const id of ids) {
    const call = { FunctionName: name, InvocationType: 'Event', Payload: bodyOf(id) } as const;
    await lambda.send(new InvokeCommand(call));
  }
}

async function put(stream: string, ids: string[]): Promise<void> {
  const record = (id: string) => ({ Data: Buffer.from(bodyOf(id)), PartitionKey: id });
  await kinesis.send(new PutRecordsCommand({ StreamName: stream, Records: ids.map(record) }));
}

/** Takes effects from the outbox: at least as many as said, and then what is there. */
async function collect(atLeast: number): Promise<string[]> {
  const effects: string[] = [];
  const until = Date.now() + 90_000;
  for (;;) {
    const receive = { QueueUrl: example.outbox_url, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive));
    for (const { Body = '' } of Messages) {
      const { what, of } = JSON.parse(Body);
      effects.push(`${what} ${of}`);
    }
    if (Messages.length > 0) {
      const Entries = Messages.map(({ MessageId: Id = '', ReceiptHandle = '' }) => ({ Id, ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: example.outbox_url, Entries }));
    } else if (effects.length >= atLeast || Date.now() > until) return effects;
  }
}

async function drained(url: string): Promise<void> {
  const until = Date.now() + 240_000;
  while ((await depth(url)) > 0) {
    if (Date.now() > until) throw new Error(`${url} is not empty after four minutes.`);
    await sleep(500);
  }
}

async function depth(url: string): Promise<number> {
  const asked = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...asked] }),
  );
  return asked.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}
