import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { jest } from '@jest/globals';
import { terraform } from '../../scripts/terraform';
import { freshClone, remove } from './workspace';

jest.setTimeout(3 * 60_000);

const account = '123456789012';
const region = 'eu-west-1';
const arn = (service: string, resource: string, of = region) =>
  `arn:aws:${service}:${of}:${account}:${resource}`;

const table = arn('dynamodb', 'table/shop');
const replica = arn('dynamodb', 'table/shop', 'eu-central-1');
const queue = arn('sqs', 'shop-orders');
const dlq = arn('sqs', 'shop-orders-dlq');
const failed = arn('sqs', 'failed');
const bucket = 'arn:aws:s3:::failed';
const kinesis = arn('kinesis', 'stream/payments');
const changes = arn('dynamodb', 'table/orders/stream/2026-01-01T00:00:00.000');
const topic = arn('sns', 'orders');
const keys = {
  all: arn('kms', 'key/11111111-12ab-34cd-56ef-1234567890ab'),
  replica: arn('kms', 'key/22222222-12ab-34cd-56ef-1234567890ab', 'eu-central-1'),
  stream: arn('kms', 'key/33333333-12ab-34cd-56ef-1234567890ab'),
  failed: arn('kms', 'key/44444444-12ab-34cd-56ef-1234567890ab'),
};

const inputs = {
  create_layer: false,
  kms_key_arn: keys.all,
  name: 'shop',
  role_names: { ledger: 'ledger', mail: 'mail', orders: 'orders', search: 'search' },
  table_replicas: { 'eu-central-1': { kms_key_arn: keys.replica } },
  queues: {
    orders: {
      function_name: 'orders',
      function_timeout: 30,
      role_key: 'orders',
      senders: { topic: { service: 'sns.amazonaws.com', source_arn: topic } },
    },
  },
  streams: {
    ledger: {
      event_source_arn: kinesis,
      function_name: 'ledger',
      kms_key_arn: keys.stream,
      on_failure: { arn: failed, kms_key_arn: keys.failed },
      role_key: 'ledger',
    },
    search: {
      event_source_arn: changes,
      function_name: 'search',
      on_failure: { arn: bucket },
      role_key: 'search',
    },
  },
  async_functions: { mail: { function_name: 'mail', on_failure: { arn: failed }, role_key: 'mail' } },
};

const functions = { ledger: {}, mail: {}, orders: {}, search: {} };

interface Policy {
  Version: string;
  Statement: { Effect: string; Action: string | string[]; Resource: string | string[] }[];
}

/** What is applied for inputs, by address. Nothing is created: the provider is mocked, but for ARNs. */
async function applied(runs: Record<string, object>): Promise<Record<string, Record<string, Policy>>> {
  const folder = freshClone();
  const override = (target: string, values: object) => ({ target, values });
  mkdirSync(join(folder, 'test'));
  writeFileSync(
    join(folder, 'test/policies.tftest.json'),
    JSON.stringify({
      mock_provider: {
        aws: {
          mock_resource: { aws_iam_policy: { defaults: { arn: `arn:aws:iam::${account}:policy/shop` } } },
          override_resource: [
            override('aws_dynamodb_table.this', { arn: table }),
            override('aws_sqs_queue.this', { arn: queue }),
            override('aws_sqs_queue.dlq', { arn: dlq }),
          ],
        },
      },
      run: Object.fromEntries(
        Object.entries(runs).map(([name, variables]) => [name, { command: 'apply', variables }]),
      ),
    }),
  );
  await terraform(folder, ['init', '-test-directory=test']);
  const output = await terraform(folder, ['test', '-test-directory=test', '-json', '-verbose']);
  remove(folder);
  return Object.fromEntries(
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'test_state')
      .map((line) => [line['@testrun'], policiesOf(line.test_state)]),
  );
}

interface Values {
  root_module: { resources: { address: string; type: string; values: { policy?: string } }[] };
}

/** Terraform shows the values, OpenTofu the state that has them. */
const policiesOf = (state: Values | { values: Values }): Record<string, Policy> =>
  Object.fromEntries(
    ('values' in state ? state.values : state).root_module.resources
      .filter(({ type }) => type.endsWith('_policy'))
      .flatMap(({ address, values: { policy } }) => (policy ? [[address, JSON.parse(policy)]] : [])),
  );

let policies: Record<string, Record<string, Policy>>;

beforeAll(async () => {
  policies = await applied({ whole: inputs, isolated: { ...inputs, functions } });
});

function policy(run: 'whole' | 'isolated', address: string): Policy {
  const found = policies[run]?.[address];
  if (found === undefined)
    throw new Error(`No ${address}, only ${Object.keys(policies[run] ?? {}).join(', ')}.`);
  return found;
}

type Context = Record<string, string | string[]>;

/** How AWS decides on a request of a role with these policies, or of a service, which has none. */
async function decision(
  action: string,
  resource: string,
  context: Context,
  { identity = [], of, principal = `arn:aws:iam::${account}:role/orders` }: Asked,
): Promise<string> {
  const result = await runSimulation(
    {
      request: { principal, action, resource: { resource, accountId: account }, contextVariables: context },
      identityPolicies: identity.map((document, index) => ({ name: String(index), policy: document })),
      resourcePolicy: of,
      resourceControlPolicies: [],
      serviceControlPolicies: [],
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));
  return result.overallResult;
}

interface Asked {
  identity?: Policy[];
  /** The policy of the resource. */
  of?: Policy;
  principal?: string;
}

const used = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'];
const unused = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteTable',
  'dynamodb:DescribeTable',
  'dynamodb:PartiQLSelect',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:Scan',
  'dynamodb:UpdateTable',
];
const own: Context = { 'dynamodb:LeadingKeys': ['orders#1042'] };

describe('The policy of the whole table', () => {
  const ask = (action: string, resource: string, context: Context = {}) =>
    decision(action, resource, context, { identity: [policy('whole', 'aws_iam_policy.this[0]')] });

  it.each(used)('allows %s, in each region', async (action) => {
    expect(await ask(action, table, own)).toBe('Allowed');
    expect(await ask(action, replica, own)).toBe('Allowed');
  });

  it.each(unused)('allows no %s', async (action) => {
    expect(await ask(action, table, own)).toBe('ImplicitlyDenied');
  });

  it('is for no other table', async () => {
    for (const other of ['table/shop2', 'table/sho', 'table/orders'])
      expect(await ask('dynamodb:UpdateItem', arn('dynamodb', other), own)).toBe('ImplicitlyDenied');
    expect(await ask('dynamodb:GetItem', arn('dynamodb', 'table/shop', 'us-east-1'), own)).toBe(
      'ImplicitlyDenied',
    );
  });
});

describe('The policy of a function', () => {
  const ask = (action: string, context: Context, resource = table) =>
    decision(action, resource, context, {
      identity: [policy('isolated', 'aws_iam_policy.function["orders"]')],
    });
  const leading = (...values: string[]) => ({ 'dynamodb:LeadingKeys': values });

  it('is in place of the one of the whole table', () => {
    expect(Object.keys(policies.isolated ?? {})).not.toContain('aws_iam_policy.this[0]');
  });

  it.each(used)('allows %s of its own keys', async (action) => {
    expect(await ask(action, own)).toBe('Allowed');
    expect(await ask(action, own, replica)).toBe('Allowed');
    expect(await ask(action, leading('orders#1', 'orders#2'))).toBe('Allowed');
  });

  it.each(unused)('allows no %s', async (action) => {
    expect(await ask(action, own)).toBe('ImplicitlyDenied');
  });

  it.each([
    ['of another function', leading('mail#1042')],
    ['of its own and of another function', leading('orders#1042', 'mail#1042')],
    ['that end before the separator', leading('orders')],
    ['in other letters', leading('ORDERS#1042')],
    ['that hold the prefix further on', leading('mail#orders#1042')],
    ['that are empty', leading('')],
  ])('allows no keys %s', async (_, context) => {
    for (const action of used) expect(await ask(action, context)).toBe('ImplicitlyDenied');
  });

  it('allows no request that names no key', async () => {
    for (const action of used) expect(await ask(action, {})).toBe('ImplicitlyDenied');
  });

  it('is for no other table', async () => {
    expect(await ask('dynamodb:UpdateItem', own, arn('dynamodb', 'table/orders'))).toBe('ImplicitlyDenied');
  });
});

describe('Keys', () => {
  const via = (service: string, of = region) => ({ 'kms:ViaService': `${service}.${of}.amazonaws.com` });
  // https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
  const letTheAccountDecide = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${account}:root` },
        Action: 'kms:*',
        Resource: '*',
      },
    ],
  };
  const ask = (address: string, action: string, key: string, context: Context) =>
    decision(action, key, context, { identity: [policy('isolated', address)], of: letTheAccountDecide });
  const orders = 'aws_iam_policy.function["orders"]';
  const consumer = (role: string) => `aws_iam_policy.consumer["${role}"]`;

  it('decrypt the table through DynamoDB, each in its region', async () => {
    expect(await ask(orders, 'kms:Decrypt', keys.all, via('dynamodb'))).toBe('Allowed');
    expect(await ask(orders, 'kms:Decrypt', keys.replica, via('dynamodb', 'eu-central-1'))).toBe('Allowed');
    expect(await ask(orders, 'kms:Decrypt', keys.replica, via('dynamodb'))).toBe('ImplicitlyDenied');
  });

  it('decrypt queues and streams through their services', async () => {
    expect(await ask(consumer('orders'), 'kms:Decrypt', keys.all, via('sqs'))).toBe('Allowed');
    expect(await ask(consumer('ledger'), 'kms:Decrypt', keys.stream, via('kinesis'))).toBe('Allowed');
    expect(await ask(consumer('ledger'), 'kms:Decrypt', keys.stream, via('sqs'))).toBe('ImplicitlyDenied');
  });

  it('encrypt what is given up, through the destination’s service', async () => {
    for (const action of ['kms:Decrypt', 'kms:GenerateDataKey']) {
      expect(await ask(consumer('ledger'), action, keys.failed, via('sqs'))).toBe('Allowed');
      expect(await ask(consumer('ledger'), action, keys.failed, via('sns'))).toBe('ImplicitlyDenied');
    }
  });

  it('are of no use by themselves, for anything else, or to others', async () => {
    expect(await ask(orders, 'kms:Decrypt', keys.all, {})).toBe('ImplicitlyDenied');
    expect(await ask(orders, 'kms:Decrypt', keys.all, via('s3'))).toBe('ImplicitlyDenied');
    for (const action of ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:DescribeKey', 'kms:ScheduleKeyDeletion'])
      expect(await ask(orders, action, keys.all, via('dynamodb'))).toBe('ImplicitlyDenied');
    expect(await ask(consumer('orders'), 'kms:GenerateDataKey', keys.all, via('sqs'))).toBe(
      'ImplicitlyDenied',
    );
    for (const role of ['ledger', 'mail', 'search'])
      expect(await ask(consumer(role), 'kms:Decrypt', keys.all, via('sqs'))).toBe('ImplicitlyDenied');
  });
});

describe('A consumer', () => {
  const ask = (role: string, action: string, resource: string) =>
    decision(action, resource, {}, { identity: [policy('whole', `aws_iam_policy.consumer["${role}"]`)] });

  it.each([
    [
      'orders',
      queue,
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
    ],
    [
      'ledger',
      kinesis,
      ['kinesis:DescribeStream', 'kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:ListShards'],
    ],
    ['ledger', failed, ['sqs:SendMessage']],
    ['search', changes, ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']],
    ['search', `${bucket}/aws/lambda/1`, ['s3:PutObject']],
    ['search', bucket, ['s3:ListBucket']],
    ['mail', failed, ['sqs:SendMessage']],
  ])('%s uses %s', async (role, resource, actions) => {
    for (const action of actions) expect(await ask(role, action, resource)).toBe('Allowed');
  });

  it.each([
    ['orders', 'reads its dead-letter queue', dlq, ['sqs:ReceiveMessage', 'sqs:DeleteMessage']],
    ['orders', 'sends', queue, ['sqs:SendMessage', 'sqs:PurgeQueue', 'sqs:SetQueueAttributes']],
    ['ledger', 'consumes a queue of others', queue, ['sqs:ReceiveMessage', 'sqs:DeleteMessage']],
    ['ledger', 'reads what was given up', failed, ['sqs:ReceiveMessage', 'sqs:DeleteMessage']],
    ['ledger', 'writes its stream', kinesis, ['kinesis:PutRecord', 'kinesis:DeleteStream']],
    ['ledger', 'reads a stream of others', changes, ['dynamodb:GetRecords']],
    ['search', 'reads the table of its stream', arn('dynamodb', 'table/orders'), ['dynamodb:GetItem']],
    ['search', 'reads what was given up', `${bucket}/aws/lambda/1`, ['s3:GetObject', 's3:DeleteObject']],
    ['search', 'writes to other buckets', 'arn:aws:s3:::failed-2/1', ['s3:PutObject']],
    ['mail', 'consumes', queue, ['sqs:ReceiveMessage']],
  ])('%s never %s', async (role, _, resource, actions) => {
    for (const action of actions) expect(await ask(role, action, resource)).toBe('ImplicitlyDenied');
  });
});

describe('A queue', () => {
  const send = (to: string, context: Context, asked: Asked) =>
    decision('sqs:SendMessage', to, { 'aws:SecureTransport': 'true', ...context }, asked);
  const queuePolicy = () => policy('whole', 'aws_sqs_queue_policy.this["orders"]');
  const dlqPolicy = () => policy('whole', 'aws_sqs_queue_policy.dlq["orders"]');
  const anything = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };

  it('takes messages of its senders, for what they send for', async () => {
    const sns = { of: queuePolicy(), principal: 'sns.amazonaws.com' };
    expect(await send(queue, { 'aws:SourceArn': topic }, sns)).toBe('Allowed');
    expect(await send(queue, { 'aws:SourceArn': arn('sns', 'refunds') }, sns)).toBe('ImplicitlyDenied');
    expect(await send(queue, {}, sns)).toBe('ImplicitlyDenied');
    const events = { ...sns, principal: 'events.amazonaws.com' };
    expect(await send(queue, { 'aws:SourceArn': topic }, events)).toBe('ImplicitlyDenied');
    expect(await send(dlq, { 'aws:SourceArn': topic }, { ...sns, of: dlqPolicy() })).toBe('ImplicitlyDenied');
  });

  it('refuses everybody without TLS', async () => {
    const open = { 'aws:SecureTransport': 'false' };
    for (const [to, of] of [
      [queue, queuePolicy()],
      [dlq, dlqPolicy()],
    ] as const) {
      expect(await send(to, {}, { of, identity: [anything] })).toBe('Allowed');
      expect(await send(to, open, { of, identity: [anything] })).toBe('ExplicitlyDenied');
    }
    const sns = { of: queuePolicy(), principal: 'sns.amazonaws.com' };
    expect(await send(queue, { ...open, 'aws:SourceArn': topic }, sns)).toBe('ExplicitlyDenied');
  });
});

it('No policy of a role allows all of anything', () => {
  const documents = Object.values(policies).flatMap((run) =>
    Object.entries(run).filter(([address]) => address.startsWith('aws_iam_policy.')),
  );
  // The whole table, four functions, and four consumers in each of the two runs.
  expect(documents).toHaveLength(1 + 4 + 2 * 4);
  const statements = documents.flatMap(([, { Statement }]) => Statement);
  expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  expect([
    ...new Set(statements.flatMap(({ Resource }) => Resource).filter((resource) => resource.includes('*'))),
  ]).toEqual([`${bucket}/*`]);
});
