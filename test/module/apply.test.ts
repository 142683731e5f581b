import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetEventSourceMappingCommand, LambdaClient, ListLayerVersionsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { zipSync } from 'fflate';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { changesOf, fixture, moveModule, plan, remove } from './workspace';

interface Outputs {
  idempotency: {
    layer_arn: string;
    queues: Record<
      'audit' | 'orders' | 'refunds',
      { arn: string; url: string; dlq_arn: string; dlq_url: string; event_source_mapping_uuid: string | null }
    >;
  };
  own_table: { environment: Record<string, string>; policy_json: string; table_arn: string };
}

// Provider and emulator are real, and SQS resources wait half a minute each for their attributes to settle.
jest.setTimeout(15 * 60_000);

let emulator: Emulator;
let folder: string;
let lambda: LambdaClient;
let sqs: SQSClient;
const env = () => ({ env: emulator.env });

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = { endpoint: emulator.endpoint, region: emulator.region, credentials };
  lambda = new LambdaClient(client);
  sqs = new SQSClient(client);
  folder = fixture('all-new');
  await terraform(folder, ['init']);
});

afterAll(async () => {
  lambda.destroy();
  sqs.destroy();
  await emulator.stop();
  remove(folder);
});

// The life of one deployment: each step goes on from the one before.

it('T7, T9, T11: table, roles, policies, queues and mappings are created in one apply', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  const { idempotency, own_table } = await outputs<Outputs>(folder, env());

  expect(own_table.environment.IDEMPOTENCY_TABLE).toBe('own');
  expect(JSON.parse(own_table.policy_json).Statement[0].Resource).toEqual([own_table.table_arn]);
  expect(idempotency.queues.audit.event_source_mapping_uuid).toBeNull();

  const orders = await mapping(idempotency.queues.orders.event_source_mapping_uuid);
  expect(orders).toMatchObject({
    EventSourceArn: idempotency.queues.orders.arn,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumBatchingWindowInSeconds: 20,
  });
  const refunds = await mapping(idempotency.queues.refunds.event_source_mapping_uuid);
  expect(refunds.FunctionArn).toMatch(/:function:consumer:live$/);
  expect(refunds.ScalingConfig).toEqual({ MaximumConcurrency: 2 });
});

it('sets the queues up for Lambda: visibility, redrive, encryption', async () => {
  const { idempotency } = await outputs<Outputs>(folder, env());
  const { orders } = idempotency.queues;
  const queue = await attributes(orders.url);
  const dlq = await attributes(orders.dlq_url);

  expect(queue.VisibilityTimeout).toBe('200');
  expect(JSON.parse(queue.RedrivePolicy ?? '')).toEqual({
    deadLetterTargetArn: orders.dlq_arn,
    maxReceiveCount: 5,
  });
  expect(JSON.parse(dlq.RedriveAllowPolicy ?? '')).toEqual({
    redrivePermission: 'byQueue',
    sourceQueueArns: [orders.arn],
  });
  expect(queue.KmsMasterKeyId).toMatch(/:key\//);
  expect(dlq.KmsMasterKeyId).toBe(queue.KmsMasterKeyId);
});

it('has nothing to change after that', async () => {
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('T7: creates a mapping only after the policies that its role needs are attached', async () => {
  const { configuration } = await plan(folder, [], env());
  const resources = configuration.root_module.module_calls.idempotency?.module.resources ?? [];
  const { depends_on } =
    resources.find(({ address }) => address === 'aws_lambda_event_source_mapping.this') ?? {};
  expect(depends_on).toEqual([
    'aws_iam_role_policy_attachment.consumer',
    'aws_iam_role_policy_attachment.this',
  ]);
});

it('T10: a change of what the module depends on changes nothing in the module', async () => {
  const planned = await plan(folder, ['-var', 'upstream=second'], env());
  expect(changesOf(planned)).toEqual(['update terraform_data.upstream']);
});

it('T5: a new layer version leaves the old one to the functions that use it', async () => {
  const zip = join(folder, 'other.zip');
  writeFileSync(zip, zipSync({ 'nodejs/index.js': new TextEncoder().encode('exports.other = true;\n') }));
  const other = ['-var', `layer_zip=${zip}`];

  expect(changesOf(await plan(folder, other, env()))).toContain(
    'delete+create module.idempotency.aws_lambda_layer_version.this[0]',
  );
  await terraform(folder, ['apply', '-auto-approve', ...other], env());
  const { LayerVersions = [] } = await lambda.send(new ListLayerVersionsCommand({ LayerName: 'all-new' }));
  expect(LayerVersions.map(({ Version }) => Version).sort()).toEqual([1, 2]);
  expect((await outputs<Outputs>(folder, env())).idempotency.layer_arn).toMatch(/:2$/);
  expect(await planHasChanges(folder, other, env())).toBe(false);

  await terraform(folder, ['apply', '-auto-approve'], env());
});

it('T2: has nothing to change when the same module is used through another path', async () => {
  moveModule(folder, 'moved');
  await terraform(folder, ['init']);
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('T3: destroys all but layer versions when the zip is no longer there', async () => {
  rmSync(join(folder, 'moved/dist'), { recursive: true });
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
  const { LayerVersions = [] } = await lambda.send(new ListLayerVersionsCommand({ LayerName: 'all-new' }));
  expect(LayerVersions).toHaveLength(3);
});

const mapping = (uuid: string | null) => lambda.send(new GetEventSourceMappingCommand({ UUID: uuid ?? '' }));

async function attributes(url: string): Promise<Record<string, string>> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
  );
  return Attributes ?? {};
}
