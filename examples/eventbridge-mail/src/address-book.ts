import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const dynamodb = new DynamoDBClient();

/** @throws Error for a customer without an address: the event is tried again, and then given up. */
export async function addressOf(customer: string, signal: AbortSignal): Promise<string> {
  const asked = { TableName: process.env.CUSTOMERS_TABLE, Key: { id: { S: customer } } };
  const { Item } = await dynamodb.send(new GetItemCommand(asked), { abortSignal: signal });
  if (Item?.email?.S === undefined) throw new Error('The customer has no address.');
  return Item.email.S;
}
