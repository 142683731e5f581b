import type { Context, SQSBatchItemFailure, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { keyOf, lockSecondsFor, runOnce } from '/opt/nodejs/index.mjs';

interface Order {
  id: string;
}

export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchItemFailure[] = [];
  for (const record of event.Records) {
    try {
      const order: Order = JSON.parse(record.body);
      await runOnce(keyOf('order', order.id), lockSecondsFor(context), () => ship(order));
    } catch (error) {
      console.error(error);
      // Only this message comes back.
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  return { batchItemFailures };
}

/** The side effect, which is to happen once an order. */
async function ship(order: Order): Promise<void> {
  console.log(JSON.stringify({ shipped: order.id }));
}
