import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientTable } from '../../layer/client-table';
import type { Item, UpdateInput } from '../../layer/table';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { MemoryTable } from '../../testing/memory-table';
import { tableUnderTest } from './create-table';

// What users' writes may say, beyond what the protocol says itself: the table in memory decides as DynamoDB does.
const ITEM = { pk: 'item', n: 5, aWord: 'b', aFlag: true, aList: [1, 'a'] };

let emulator: Emulator;
let client: DynamoDBClient;
let put: (item: Item & { pk: string }) => Promise<void>;

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  ({ put } = await tableUnderTest(client, 'items', clientTable(client)));
});

afterAll(async () => {
  client.destroy();
  await emulator.stop();
});

/** What becomes of a write, and of its item; the same for both tables where they agree. */
async function both(input: Partial<UpdateInput>, values: Record<string, unknown>) {
  const write = {
    TableName: 'items',
    Key: { pk: ITEM.pk },
    ...input,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  } as UpdateInput;
  const memory = new MemoryTable();
  memory.items('items').set(ITEM.pk, ITEM);
  await put(ITEM);
  const outcomes = [];
  for (const table of [memory, clientTable(client)]) {
    const answer = await table.update(write).catch(() => ({ written: 'invalid' }));
    outcomes.push({ written: answer.written, item: await table.get(write) });
  }
  return outcomes;
}

test.each<[condition: string, values: Record<string, unknown>]>([
  ['n = :v', { ':v': 5 }],
  ['n = :v', { ':v': '5' }],
  ['n <> :v', { ':v': 5 }],
  ['n <> :v', { ':v': '5' }],
  ['noSuch = :v', { ':v': 5 }],
  ['noSuch <> :v', { ':v': 5 }],
  ['n > :v', { ':v': 4 }],
  ['n > :v', { ':v': 5 }],
  ['n >= :v', { ':v': 5 }],
  ['n < :v', { ':v': 6 }],
  ['n <= :v', { ':v': 4 }],
  ['n < :v', { ':v': '6' }],
  ['noSuch < :v', { ':v': 6 }],
  ['aWord > :v', { ':v': 'a' }],
  ['aList = :v', { ':v': [1, 'a'] }],
  ['aFlag = :v', { ':v': true }],
  ['NOT n = :v', { ':v': 5 }],
  ['NOT n = :v OR n = :v', { ':v': 5 }],
  ['NOT (n = :v OR n = :w)', { ':v': 5, ':w': 6 }],
  ['n = :w or n = :v and attribute_exists(aWord)', { ':v': 5, ':w': 6 }],
  ['n = :v OR n = :w AND n = :w', { ':v': 5, ':w': 6 }],
  ['attribute_exists(noSuch) AND n = :v', { ':v': 5 }],
])('the condition %s, with %j', async (ConditionExpression, values) => {
  const UpdateExpression = 'SET seen = :seen';
  const [memory, dynamodb] = await both(
    { ConditionExpression, UpdateExpression },
    { ...values, ':seen': true },
  );
  expect(memory).toEqual(dynamodb);
  expect([true, false]).toContain(memory?.written);
});

test.each<[update: string, values: Record<string, unknown>]>([
  ['SET a = :v, n = n + :v', { ':v': 1 }],
  ['SET n = n - :v', { ':v': 1 }],
  ['SET n = :v, a = n', { ':v': 9 }],
  ['SET a = noSuch, b = :v', { ':v': 1 }],
  ['SET n = noSuch + :v', { ':v': 1 }],
  ['SET n = if_not_exists(noSuch, :v) + :v', { ':v': 1 }],
  ['SET n = if_not_exists(n, :v) + :v', { ':v': 1 }],
  ['SET a = if_not_exists(noSuch, n), b = :v', { ':v': 1 }],
  ['REMOVE n, noSuch SET a = :v', { ':v': 1 }],
  ['ADD n :v, a :v', { ':v': 2 }],
  ['ADD aWord :v', { ':v': 2 }],
])('the update %s, with %j', async (UpdateExpression, values) => {
  const [memory, dynamodb] = await both({ UpdateExpression }, values);
  expect(memory).toEqual(dynamodb);
});
