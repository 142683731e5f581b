import {
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type AttributeValue, toAttributes, toItem } from '../../layer/attribute-value';
import type { Table } from '../../layer/table';
import type { TableUnderTest } from '../protocol-suite';

/** Makes a table and the means to look at it; `table` is what the protocol itself talks to. */
export async function tableUnderTest(
  client: DynamoDBClient,
  tableName: string,
  table: Table,
): Promise<TableUnderTest> {
  await createTable(client, tableName);
  const effects = `${tableName}-effects`;
  await createTable(client, effects);
  const read = async (table: string, key: string) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true }),
    );
    return Item && toItem(Item as Record<string, AttributeValue>);
  };
  const at = (key: string) => ({ TableName: tableName, Key: { pk: { S: key } } });
  return {
    table,
    tableName,
    read: (key) => read(tableName, key),
    effects: { tableName: effects, read: (key) => read(effects, key) },
    async put(item) {
      await client.send(new PutItemCommand({ TableName: tableName, Item: toAttributes(item) as never }));
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
