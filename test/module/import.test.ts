import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { planHasChanges, terraform } from '../../scripts/terraform';
import { changesOf, freshClone, plan, remove } from './workspace';

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

let emulator: Emulator;
let folder: string;
let dynamodb: DynamoDBClient;
const env = () => ({ env: emulator.env });

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  dynamodb = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  folder = freshClone();
  await terraform(folder, ['init']);
});

afterAll(async () => {
  dynamodb.destroy();
  await emulator.stop();
  remove(folder);
});

const hashKey = { AttributeName: 'pk', KeyType: 'HASH' } as const;
const rangeKey = { AttributeName: 'sk', KeyType: 'RANGE' } as const;

/** A table as it may have been made by hand: nothing is set that need not be. */
const makeByHand = (name: string, keys: CreateTableCommandInput['KeySchema'] = []) =>
  dynamodb.send(
    new CreateTableCommand({
      AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys,
      TableName: name,
    }),
  );

function takeOver(name: string): void {
  const variables = { create_layer: false, name, tags: { team: 'orders' } };
  writeFileSync(join(folder, 'terraform.tfvars.json'), JSON.stringify(variables));
  writeFileSync(
    join(folder, 'import.tf.json'),
    JSON.stringify({ import: [{ to: 'aws_dynamodb_table.this[0]', id: name }] }),
  );
}

it('brings an existing table with its records under the module, and changes it in place', async () => {
  await makeByHand('made-by-hand', [hashKey]);
  const Item = { pk: { S: 'order-1042' }, expiresAt: { N: '4102444800' } };
  await dynamodb.send(new PutItemCommand({ TableName: 'made-by-hand', Item }));

  takeOver('made-by-hand');
  expect(changesOf(await plan(folder, [], env())).sort()).toEqual([
    'create aws_iam_policy.this[0]',
    'update aws_dynamodb_table.this[0]',
  ]);

  await terraform(folder, ['apply', '-auto-approve'], env());
  const record = await dynamodb.send(new GetItemCommand({ TableName: 'made-by-hand', Key: { pk: Item.pk } }));
  expect(record.Item).toEqual(Item);
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('plans to replace a table of other keys, which must then stay the caller’s own', async () => {
  await makeByHand('other-keys', [hashKey, rangeKey]);
  takeOver('other-keys');
  expect(changesOf(await plan(folder, ['-state=other.tfstate'], env()))).toContain(
    'delete+create aws_dynamodb_table.this[0]',
  );
});
