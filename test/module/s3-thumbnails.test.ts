import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: {
    buckets: Record<'pictures' | 'thumbnails', string>;
    function_name: string;
    log_group_name: string;
  };
}

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

let emulator: Emulator;
let folder: string;
let example: Outputs['example'];
let lambda: LambdaClient;
let logs: CloudWatchLogsClient;
let s3: S3Client;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  lambda = new LambdaClient(client);
  logs = new CloudWatchLogsClient(client);
  s3 = new S3Client({ ...client, forcePathStyle: true });
  folder = workspace('s3-thumbnails');
  const root = {
    provider: { aws: { s3_use_path_style: true } },
    module: { example: { source: '../../../examples/s3-thumbnails' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Terraform's template.
    output: { example: { value: '${module.example}' } },
  };
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  for (const client of [lambda, logs, s3]) client.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  ({ example } = await outputs<Outputs>(folder, env()));
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

let first: string;

it('makes a thumbnail of a picture that is put', async () => {
  // Two halves, to be averaged each by itself.
  first = await put(
    'cats/my cat.ppm',
    ppm(128, 32, (x) => (x < 64 ? [200, 0, 0] : [0, 0, 100])),
  );
  await until('a thumbnail', async () => (await runs()).length === 1);

  const thumbnail = { Bucket: example.buckets.thumbnails, Key: `cats/my cat.ppm/${first}.ppm` };
  const { Body } = await s3.send(new GetObjectCommand(thumbnail));
  const wanted = ppm(64, 16, (x) => (x < 32 ? [200, 0, 0] : [0, 0, 100]));
  expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(wanted)).toBe(true);
});

it('makes none when the notification comes again', async () => {
  await deliver(recordOf('cats/my+cat.ppm', first));
  await answered(2);
  expect(await runs()).toEqual([`cats/my cat.ppm/${first}.ppm`]);
});

it('makes one of each version', async () => {
  const second = await put(
    'cats/my cat.ppm',
    ppm(1, 1, () => [1, 2, 3]),
  );
  await answered(3);
  expect((await runs()).sort()).toEqual([first, second].map((id) => `cats/my cat.ppm/${id}.ppm`).sort());
});

it('makes one of each picture of an event that comes again, because another one fails', async () => {
  // Neither is a name that the notification is for, so that the one event with both of them is the only one.
  const good = await put(
    'good',
    ppm(1, 1, () => [1, 2, 3]),
  );
  const broken = await put('broken', Buffer.from('no picture'));
  await deliver(recordOf('good', good), recordOf('broken', broken));
  await answered(3 + 3);
  expect((await runs()).filter((key) => /^(good|broken)/.test(key))).toEqual([`good/${good}.ppm`]);
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

type Colour = [red: number, green: number, blue: number];

function ppm(width: number, height: number, colourAt: (x: number) => Colour): Buffer {
  const row = Array.from({ length: width }, (_, x) => colourAt(x)).flat();
  const pixels = Array.from({ length: height }, () => row).flat();
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.from(pixels)]);
}

/** Answers the version. */
async function put(key: string, body: Buffer): Promise<string> {
  const object = { Bucket: example.buckets.pictures, Key: key, Body: body };
  const { VersionId = '' } = await s3.send(new PutObjectCommand(object));
  return VersionId;
}

/** As S3 tells of a new version: https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html */
const recordOf = (key: string, versionId: string) => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  eventName: 'ObjectCreated:Put',
  s3: { bucket: { name: example.buckets.pictures }, object: { key, versionId, sequencer: '0A' } },
});

async function deliver(...Records: ReturnType<typeof recordOf>[]): Promise<void> {
  const call = { FunctionName: example.function_name, InvocationType: 'Event' } as const;
  await lambda.send(new InvokeCommand({ ...call, Payload: JSON.stringify({ Records }) }));
}

/** The thumbnails as often as they were made: each time is a version of the object. */
async function runs(): Promise<string[]> {
  const { Versions = [] } = await s3.send(
    new ListObjectVersionsCommand({ Bucket: example.buckets.thumbnails }),
  );
  return Versions.map(({ Key = '' }) => Key);
}

/** How many invocations have ended, as the function's log says. */
async function invocations(): Promise<number> {
  const query = { logGroupName: example.log_group_name, filterPattern: 'REPORT' };
  const { events = [] } = await logs.send(new FilterLogEventsCommand(query));
  return events.length;
}

const answered = (count: number) => until(`${count} answers`, async () => (await invocations()) >= count);

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`There was no ${what} within a minute.`);
    await sleep(300);
  }
}
