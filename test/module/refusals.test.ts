import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { terraform } from '../../scripts/terraform';
import { freshClone, moduleFiles, remove } from './workspace';

// The provider is real: it asks for the account before anything is planned.
jest.setTimeout(2 * 60_000);

let emulator: Emulator;
let folder: string;

beforeAll(async () => {
  emulator = await startEmulator();
  folder = freshClone();
  await terraform(folder, ['init']);
});

afterAll(async () => {
  await emulator.stop();
  remove(folder);
});

async function plan(variables: Record<string, unknown>): Promise<string> {
  writeFileSync(join(folder, 'terraform.tfvars.json'), JSON.stringify(variables));
  return terraform(folder, ['plan', '-json'], { env: emulator.env });
}

const seen: string[] = [];

/** What a plan with these variables is refused for or warns of: the messages alone, without where they come from. */
async function refusals(variables: Record<string, unknown>): Promise<string[]> {
  const output = await plan(variables).catch(String);
  const messages = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).diagnostic)
    .filter((diagnostic) => diagnostic !== undefined)
    .map(({ detail }) => detail.split('\n\nThis was checked by')[0])
    .sort();
  seen.push(...messages);
  return messages;
}

it('refuses wrong names, numbers, keys, runtimes, instruction sets and roles', async () => {
  expect(
    await refusals({
      name: 'my shop',
      create_layer: false,
      kms_key_arn: 'alias/own',
      keep_for_seconds: 0.5,
      compatible_runtimes: ['nodejs22.x', 'nodejs20.x'],
      compatible_architectures: ['arm'],
    }),
  ).toEqual([
    'compatible_architectures is [arm], but Lambda knows arm64 and x86_64 only. Use one of them or both.',
    'compatible_runtimes is [nodejs22.x, nodejs20.x], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].',
    'keep_for_seconds is 0.5, but it must be a whole number of seconds of at least 1. 86400, a day, suits most.',
    'kms_key_arn is "alias/own", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.',
    'name is "my shop", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance "orders".',
  ]);
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      role_names: { orders: 'arn:aws:iam::123456789012:role/orders', refunds: 'refunds' },
    }),
  ).toEqual([
    'role_names must hold names of roles, not ARNs or paths. Not so: orders = "arn:aws:iam::123456789012:role/orders". Use aws_iam_role.<name>.name.',
  ]);
});

it('refuses queues that Lambda or SQS would refuse, or that would lose good messages', async () => {
  const queue = (settings: object) => ({ function_timeout: 30, ...settings });
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      keep_for_seconds: 1e6,
      role_names: { orders: 'orders' },
      queues: {
        good: queue({}),
        'a b': queue({}),
        'orders-of-the-whole-company-in-every-country-and-channel-and-currency-10': queue({}),
        no_time: queue({ function_timeout: 0 }),
        too_long: queue({ function_timeout: 901 }),
        part_second: queue({ function_timeout: 1.5 }),
        too_early: queue({ function_timeout: 900, visibility_timeout: 400 }),
        too_late: queue({ visibility_timeout: 43_201 }),
        part_visibility: queue({ visibility_timeout: 200.5 }),
        empty_batch: queue({ batch_size: 0 }),
        huge_batch: queue({ batch_size: 10_001, batching_window: 1 }),
        part_batch: queue({ batch_size: 1.5 }),
        negative_window: queue({ batching_window: -1 }),
        long_window: queue({ batching_window: 301 }),
        part_window: queue({ batching_window: 1.5 }),
        no_window: queue({ batch_size: 11 }),
        serial: queue({ maximum_concurrency: 1 }),
        wild: queue({ maximum_concurrency: 1001 }),
        part_concurrency: queue({ maximum_concurrency: 2.5 }),
        impatient: queue({ max_receive_count: 4 }),
        patient: queue({ max_receive_count: 1001 }),
        part_count: queue({ max_receive_count: 5.5 }),
        stranger: queue({ role_key: 'refunds' }),
        unnamed: queue({ event_source_mapping: true }),
      },
    }),
  ).toEqual([
    'The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: "shop-a b-dlq", "shop-orders-of-the-whole-company-in-every-country-and-channel-and-currency-10-dlq". Choose shorter or plainer keys.',
    'batch_size of a queue may be more than 10 only with a batching_window of at least 1 second. Not so: no_window (batch_size 11, batching_window 0). Set batching_window, or batch_size to 10 or less.',
    'batch_size of a queue must be a whole number from 1 to 10000. Not so: empty_batch (0), huge_batch (10001), part_batch (1.5). Leave it out for 10.',
    'batching_window of a queue must be a whole number of seconds from 0 to 300. Not so: long_window (301), negative_window (-1), part_window (1.5). Leave it out for 0.',
    'event_source_mapping of a queue is true, but no function is named: unnamed. Set function_name, or leave event_source_mapping out.',
    'function_timeout of a queue must be a whole number of seconds from 1 to 900. Not so: no_time (0), part_second (1.5), too_long (901). Use the timeout of the function: aws_lambda_function.<name>.timeout.',
    'max_receive_count of a queue must be a whole number from 5 to 1000: below 5, throttled deliveries alone move good messages to the dead-letter queue. Not so: impatient (4), part_count (5.5), patient (1001). Leave it out for 5.',
    'maximum_concurrency of a queue must be a whole number from 2 to 1000. Not so: part_concurrency (2.5), serial (1), wild (1001). Leave it out for no limit.',
    'role_key of a queue must be a key of role_names, which are [orders]. Not so: stranger ("refunds"). Add the role to role_names, or correct the key.',
    'visibility_timeout of a queue must be a whole number of seconds, no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: part_visibility (visibility_timeout 200.5, function_timeout 30), too_early (visibility_timeout 400, function_timeout 900), too_late (visibility_timeout 43201, function_timeout 30). Leave visibility_timeout out: 6 * function_timeout + batching_window is used then.',
  ]);
});

it('refuses tables that DynamoDB would refuse', async () => {
  const table = (settings: object) => refusals({ name: 'shop', create_layer: false, ...settings });
  expect(
    await table({
      table_class: 'CHEAP',
      table_kms_key_arn: 'alias/own',
      table_maximum_throughput: { read: 0.5 },
      table_recovery_period_days: 36,
      table_resource_policy: { json: 'allow all' },
      policy_path: 'shop',
      metrics: { namespace: 'AWS/Shop' },
      alarms: { topic_arns: ['on-call'] },
    }),
  ).toEqual([
    'namespace of metrics is "AWS/Shop", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency.',
    'policy_path is "shop", but it must begin and end with a slash and have at most 512 characters. Use for instance "/idempotency/".',
    'table_class is "CHEAP", but DynamoDB knows STANDARD and STANDARD_INFREQUENT_ACCESS only. Leave it out for STANDARD.',
    'table_kms_key_arn is "alias/own", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.',
    'table_maximum_throughput is {"read":0.5,"write":null}, but read and write must be whole numbers of request units a second of at least 1. Leave one out for no bound.',
    'table_recovery_period_days is 36, but DynamoDB keeps backups for a whole number of days from 1 to 35. Leave it out for 35.',
    'table_resource_policy.json is not JSON. Use jsonencode({ Version = "2012-10-17", Statement = [ … ] }).',
    'topic_arns of alarms must be ARNs of SNS topics. Not so: "on-call". Use aws_sns_topic.<name>.arn.',
  ]);
  expect(
    await table({
      kms_key_arn: 'arn:aws:kms:eu-west-1:123456789012:key/1',
      table_replicas: { here: {}, 'eu-west-1': { kms_key_arn: 'arn:aws:kms:eu-west-1:123456789012:key/1' } },
    }),
  ).toEqual([
    'All replicas of a table need the same kind of key as the table itself, which has a customer managed one. Set kms_key_arn of these, or leave out kms_key_arn of the module: here.',
    'table_replicas must be by region. Not so: "here". Use for instance "eu-west-1".',
  ]);
  expect(
    await table({
      create_table: false,
      ...own,
      table_replicas: { 'eu-central-1': {} },
      table_resource_policy: { json: '{}' },
    }),
  ).toEqual([
    'table_replicas is set for eu-central-1, but create_table is false: the module replicates only a table that it creates. Replicate your own table where you create it, or leave table_replicas out.',
    'table_resource_policy is set, but create_table is false: the module leaves your own table as it is. Use aws_dynamodb_resource_policy where you create it.',
  ]);
});

it('refuses layers that have two zips or are granted to nobody', async () => {
  expect(
    await refusals({
      name: 'shop',
      layer_zip: 'layer.zip',
      layer_s3_object: { bucket: 'artifacts', key: 'layer.zip' },
      layer_permissions: {
        'a b': { account_id: '123456789012' },
        both: { account_id: '123456789012', organization_id: 'o-a1b2c3d4e5' },
        neither: {},
        short: { account_id: '12345' },
        strange: { organization_id: 'company' },
      },
    }),
  ).toEqual([
    'An entry of layer_permissions must be either an account_id or an organization_id. Not so: both, neither. Make two entries for both.',
    'The keys of layer_permissions are statement ids of at most 100 letters, digits, hyphens and underscores. Not so: "a b". Choose plainer keys.',
    'account_id in layer_permissions must be 12 digits. Not so: short ("12345"). For everyone of an organisation use organization_id.',
    'layer_s3_object and layer_zip are both set, but the layer has one zip. Leave one of them out.',
    'organization_id in layer_permissions must look like o-a1b2c3d4e5. Not so: strange ("company"). Use aws_organizations_organization.<name>.id.',
  ]);
});

it('refuses functions that would share keys, and roles that belong to none of them', async () => {
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      functions: { 'a b': {}, any: { key_prefix: 'any*' }, mail: { key_prefix: 'order' }, orders: {} },
    }),
  ).toEqual([
    'No key_prefix may begin with another\'s, or one function could read the other\'s results. Not so: orders ("orders#" begins with "order" of mail). End each with a separator, for instance "orders#".',
    'The keys of functions are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: "shop-a b". Choose shorter or plainer keys.',
    'key_prefix of a function must be 1 to 256 characters without *, ? and $, which mean something else in a policy. Not so: any ("any*"). Leave it out for the function\'s key and #.',
  ]);
});

it('refuses FIFO queues, filters and senders that SQS and Lambda would refuse', async () => {
  const queue = (settings: object) => ({ function_timeout: 30, ...settings });
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      keep_for_seconds: 899,
      queues: {
        forgotten: queue({}),
        fifo_window: queue({ fifo: true, batching_window: 1 }),
        standard: queue({ high_throughput: true }),
        filter: queue({ filter_patterns: ['order'] }),
        sender: queue({ senders: { topic: { service: 'sns', source_arn: 'orders' } } }),
      },
    }),
  ).toEqual([
    'A FIFO queue takes a batch_size of at most 10 and no batching_window. Not so: fifo_window (batch_size 10, batching_window 1). Leave both out.',
    'A sender of a queue must have the service that sends and the ARN it sends for. Not so: sender/topic (service "sns", source_arn "orders"). Use for instance { service = "sns.amazonaws.com", source_arn = aws_sns_topic.<name>.arn }.',
    'content_based_deduplication and high_throughput are for FIFO queues only. Not so: standard. Set fifo = true, or leave them out.',
    'filter_patterns of a queue must be at most 5 JSON objects. Not so: filter. Use jsonencode({ body = { … } }); Lambda takes more than 5 only on request, and drops what matches none.',
    expect.stringMatching(
      /^keep_for_seconds is 899, but a message may come again later than that, and would run again: fifo_window \(5 deliveries \* visibility timeout 181 = 905\), filter \(5 deliveries \* visibility timeout 180 = 900\), .*\. Raise keep_for_seconds, or lower max_receive_count\.$/,
    ),
  ]);
});

it('refuses settings of existing queues that are out of bounds, and warns of those that come again too early', async () => {
  const existing = (queues: object) =>
    refusals({ name: 'shop', create_layer: false, existing_queues: queues });
  expect(
    await existing({
      no_time: { function_timeout: 0, visibility_timeout: 0 },
      window: { function_timeout: 30, visibility_timeout: 180, batching_window: 301 },
      too_early: { function_timeout: 30, visibility_timeout: 29 },
    }),
  ).toEqual([
    'batching_window of an existing queue must be a whole number from 0 to 300. Not so: window (301). Use maximum_batching_window_in_seconds of its aws_lambda_event_source_mapping.',
    'function_timeout of an existing queue must be a whole number from 1 to 900. Not so: no_time (0). Use the timeout of the function: aws_lambda_function.<name>.timeout.',
    'visibility_timeout of an existing queue must be no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: too_early (visibility_timeout 29, function_timeout 30: set 180). Set visibility_timeout_seconds of the aws_sqs_queue.',
  ]);
  expect(
    await existing({ old: { function_timeout: 30, visibility_timeout: 30, batching_window: 5 } }),
  ).toEqual([
    "An existing queue shows its messages again while a throttled batch may still be tried: old (visibility timeout 30; set 185, six times its function's timeout and the batching window). Set visibility_timeout_seconds of the aws_sqs_queue to at least that.",
  ]);
});

it('refuses asynchronous settings out of bounds, and retention that ends before retries do', async () => {
  const mail = (settings: object) => ({ function_name: 'mail', maximum_event_age: 60, ...settings });
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      keep_for_seconds: 3600,
      role_names: { mail: 'mail' },
      async_functions: {
        again: mail({ maximum_retry_attempts: 3 }),
        alias: mail({
          on_failure: { arn: 'arn:aws:sqs:eu-west-1:123456789012:failed', kms_key_arn: 'alias/own' },
        }),
        elsewhere: mail({ on_failure: { arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/failed' } }),
        late: mail({ maximum_event_age: 21_600 }),
        old: mail({ maximum_event_age: 59 }),
        stranger: mail({ role_key: 'orders' }),
      },
    }),
  ).toEqual([
    'keep_for_seconds is 3600, but an asynchronous event may come again later than that, and would run again: late (maximum_event_age 21600). Raise keep_for_seconds, or lower maximum_event_age.',
    'kms_key_arn of an asynchronous function must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: alias. Use aws_kms_key.<name>.arn.',
    'maximum_event_age of an asynchronous function must be a whole number from 60 to 21600. Not so: old (59). It is in seconds; leave it out for 21600.',
    'maximum_retry_attempts of an asynchronous function must be a whole number from 0 to 2. Not so: again (3). Leave it out for 2.',
    'on_failure of an asynchronous function must be the ARN of a queue, topic, function, event bus or bucket. Not so: elsewhere ("arn:aws:dynamodb:eu-west-1:123456789012:table/failed"). Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.',
    'role_key of an asynchronous function must be a key of role_names, which are [mail]. Not so: stranger ("orders"). Add the role to role_names, or correct the key.',
  ]);
});

it('refuses streams that would retry without end or lose records', async () => {
  const stream = (settings: object) => ({
    event_source_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/payments',
    function_name: 'ledger',
    maximum_record_age: 3600,
    on_failure: { arn: 'arn:aws:sqs:eu-west-1:123456789012:failed' },
    ...settings,
  });
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
      keep_for_seconds: 3600,
      role_names: { ledger: 'ledger' },
      streams: {
        alias: stream({ kms_key_arn: 'alias/own' }),
        batch: stream({ batch_size: 10_001 }),
        bus: stream({ on_failure: { arn: 'arn:aws:events:eu-west-1:123456789012:event-bus/failed' } }),
        endless: stream({ maximum_retry_attempts: -1 }),
        factor: stream({ parallelization_factor: 11 }),
        filter: stream({ filter_patterns: ['1'] }),
        immortal: stream({ maximum_record_age: -1 }),
        late: stream({ maximum_record_age: 3601 }),
        lossy: stream({ on_failure: null }),
        position: stream({ starting_position: 'AT_TIMESTAMP' }),
        stranger: stream({ role_key: 'orders' }),
        table: stream({ event_source_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders' }),
        window: stream({ batching_window: 301 }),
      },
    }),
  ).toEqual([
    'A stream needs on_failure, or records that are given up are lost. Not so: lossy. Set on_failure = { arn = aws_sqs_queue.<name>.arn }.',
    'batch_size of a stream must be a whole number from 1 to 10000. Not so: batch (10001). Leave it out for 100.',
    'batching_window of a stream must be a whole number from 0 to 300. Not so: window (301). It is in seconds; leave it out for 0.',
    'event_source_arn of a stream must be the ARN of a stream of Kinesis or DynamoDB. Not so: table ("arn:aws:dynamodb:eu-west-1:123456789012:table/orders"). Use aws_kinesis_stream.<name>.arn or aws_dynamodb_table.<name>.stream_arn.',
    'filter_patterns of a stream must be at most 5 JSON objects. Not so: filter. Use jsonencode({ data = { … } }); Lambda takes more than 5 only on request, and drops what matches none.',
    'keep_for_seconds is 3600, but a record of a stream may come again later than that, and would run again: late (maximum_record_age 3601). Raise keep_for_seconds, or lower maximum_record_age.',
    'kms_key_arn of a stream must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: alias. Use aws_kms_key.<name>.arn.',
    'maximum_record_age of a stream must be a whole number from 60 to 604800. Not so: immortal (-1). It is in seconds; leave it out for 86400.',
    'maximum_retry_attempts of a stream must be a whole number from 0 to 10000. Not so: endless (-1). Leave it out for 10.',
    'on_failure of a stream must be the ARN of a queue, topic or bucket. Not so: bus ("arn:aws:events:eu-west-1:123456789012:event-bus/failed"). Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.',
    'parallelization_factor of a stream must be a whole number from 1 to 10. Not so: factor (11). Leave it out for 1.',
    'role_key of a stream must be a key of role_names, which are [ledger]. Not so: stranger ("orders"). Add the role to role_names, or correct the key.',
    'starting_position of a stream must be TRIM_HORIZON or LATEST. Not so: position ("AT_TIMESTAMP"). Leave it out for TRIM_HORIZON, which misses nothing.',
  ]);
});

const own = { table_name: 'own', table_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/own' };

it.each([
  [
    'neither name nor ARN',
    { create_table: false },
    'create_table is false, but table_name is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created.',
  ],
  [
    'a name alone',
    { create_table: false, table_name: 'own' },
    'create_table is false, but table_arn is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created.',
  ],
  [
    'a name, and a table that is created',
    { table_name: 'own' },
    'table_name is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_name out.',
  ],
  [
    'an ARN, and a table that is created',
    { table_arn: own.table_arn },
    'table_arn is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_arn out.',
  ],
  [
    'the ARN of something else',
    { create_table: false, ...own, table_arn: 'arn:aws:s3:::bucket/own' },
    'table_arn is "arn:aws:s3:::bucket/own", but it must be the ARN of a table, arn:<partition>:dynamodb:<region>:<account>:table/<name>. Use aws_dynamodb_table.<name>.arn.',
  ],
  [
    'name and ARN of two tables',
    { create_table: false, ...own, table_name: 'other' },
    'table_arn is "arn:aws:dynamodb:eu-west-1:123456789012:table/own" and table_name is "other", but they must be of the same table, or functions may not use the one that they are told to. Take both from the same aws_dynamodb_table.',
  ],
])('refuses a table of the caller’s by %s', async (_, variables, message) => {
  expect(await refusals({ name: 'shop', create_layer: false, ...variables })).toEqual([message]);
});

it('T3: says what to run where nothing has been built', async () => {
  expect(await refusals({ name: 'shop' })).toEqual([
    "The layer's zip ./dist/layer.zip does not exist. Run `npm run build` in the module's folder, use a release tag, which carries the zip, or set create_layer = false.",
  ]);
});

it('T3: is valid where nothing has been built, and plans without the layer', async () => {
  await terraform(folder, ['validate']);
  expect(await plan({ name: 'shop', create_layer: false })).toContain('"changes":{"add":2,');
});

// Last, since it looks at what all of the above were refused for.
it('has a case for each rule of the module', () => {
  const rules = moduleFiles().flatMap((text) =>
    [...text.matchAll(/^ +error_message = "(.*)"$/gm)].map(([, message = '']) => message),
  );
  expect(rules.length).toBeGreaterThan(50);
  const withoutCase = rules.filter((rule) => !seen.some((message) => says(message, literals(rule))));
  expect(withoutCase).toEqual([]);
});

/** What stands still in a message of the module's: the parts that are not `${…}`, which may hold braces of their own. */
function literals(template: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [index, character] of [...template].entries()) {
    if (character === '{' && (depth > 0 || template[index - 1] === '$')) depth += 1;
    if (depth === 0) parts[parts.length - 1] += character;
    if (character !== '}' || depth === 0) continue;
    depth -= 1;
    if (depth === 0) parts.push('');
  }
  return parts.map((part) => part.replace(/\$$/, '').replaceAll('\\"', '"'));
}

/** Whether a message has all of these parts, in their order. */
function says(message: string, parts: string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = message.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}
