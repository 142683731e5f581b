import {
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type AttributeValue, toItem } from '../../layer/attribute-value';
import type { Table } from '../../layer/table';
import type { TableUnderTest } from '../protocol-suite';

/** Makes a table and the means to look at it; `table` is what the protocol itself talks to. */
export async function tableUnderTest(
  client: DynamoDBClient,
  tableName: string,
  table: Table,
): Promise<TableUnderTest> {
  await createTable(client, tableName);
  const at = (key: string) => ({ TableName: tableName, Key: { pk: { S: key } } });
  return {
    table,
    tableName,
    async read(key) {
      const { Item } = await client.send(new GetItemCommand({ ...at(key), ConsistentRead: true }));
      return Item && toItem(Item as Record<string, AttributeValue>);
    },
    async put(item) {
      const Item = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attribute(value)]));
      await client.send(new PutItemCommand({ TableName: tableName, Item: Item as never }));
    },
    async remove(key) {
      await client.send(new DeleteItemCommand(at(key)));
    },
  };
}

export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
}

/** A value as a DocumentClient would have written it. */
function attribute(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'string') return { S: value };
  if (Array.isArray(value)) return { L: value.map(attribute) };
  const entries = Object.entries(value as object);
  return { M: Object.fromEntries(entries.map(([name, inner]) => [name, attribute(inner)])) };
}
