import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { terraform } from '../../scripts/terraform';
import { freshClone, remove } from './workspace';

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

/** What a plan with these variables is refused for: the messages alone, without where they come from. */
async function refusals(variables: Record<string, unknown>): Promise<string[]> {
  const output = await plan(variables).catch(String);
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).diagnostic)
    .filter((diagnostic) => diagnostic?.severity === 'error')
    .map(({ detail }) => detail.split('\n\nThis was checked by')[0])
    .sort();
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
      role_names: { orders: 'arn:aws:iam::123456789012:role/orders', refunds: 'refunds' },
    }),
  ).toEqual([
    'compatible_architectures is [arm], but Lambda knows arm64 and x86_64 only. Use one of them or both.',
    'compatible_runtimes is [nodejs22.x, nodejs20.x], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].',
    'keep_for_seconds is 0.5, but it must be a whole number of seconds of at least 1. 86400, a day, suits most.',
    'kms_key_arn is "alias/own", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.',
    'name is "my shop", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance "orders".',
    'role_names must hold names of roles, not ARNs or paths. Not so: orders = "arn:aws:iam::123456789012:role/orders". Use aws_iam_role.<name>.name.',
  ]);
});

it('refuses queues that Lambda or SQS would refuse, or that would lose good messages', async () => {
  const queue = (settings: object) => ({ function_timeout: 30, ...settings });
  expect(
    await refusals({
      name: 'shop',
      create_layer: false,
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
