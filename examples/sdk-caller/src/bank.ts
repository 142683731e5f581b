import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

/** As the caller asks for it: the identifier is the caller's own, and the same whenever it asks for this transfer. */
export interface Transfer {
  id: string;
  /** In cents. */
  amount: number;
}

export interface Receipt {
  receipt: string;
}

const dynamodb = new DynamoDBClient();

/** Stands for a bank that takes its time, and that books whatever it is asked to as often as it is asked. */
export async function book({ id, amount }: Transfer): Promise<Receipt> {
  await sleep(Number(process.env.TRANSFER_SECONDS) * 1000);
  const receipt = randomUUID();
  await dynamodb.send(
    new PutItemCommand({
      TableName: process.env.LEDGER_TABLE,
      Item: { receipt: { S: receipt }, transfer: { S: id }, amount: { N: String(amount) } },
    }),
  );
  return { receipt };
}
