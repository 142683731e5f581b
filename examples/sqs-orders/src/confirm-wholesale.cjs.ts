/** Confirms wholesale orders: CommonJS, since `import` becomes `require('/opt/nodejs')` here. */
import type { Context, SQSBatchItemFailure, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { keyOf, lockSecondsFor, runOnce, StillInProgressError } from '/opt/nodejs';
import { sendConfirmation } from './confirmation';
import { journal } from './journal';
import type { Order } from './order';

export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  journal({ received: event.Records.length });
  const batchItemFailures: SQSBatchItemFailure[] = [];

  for (const record of event.Records) {
    try {
      const order: Order = JSON.parse(record.body);
      let executed = false;
      await runOnce(keyOf('order-confirmation', order.id), lockSecondsFor(context), (run) => {
        executed = true;
        return sendConfirmation(order, run);
      });
      journal({ outcome: executed ? 'executed' : 'replayed', message: record.messageId });
    } catch (error) {
      // Reported item by item, so that only this message comes back.
      batchItemFailures.push({ itemIdentifier: record.messageId });
      const outcome = error instanceof StillInProgressError ? 'inProgress' : 'failed';
      journal({ outcome, message: record.messageId });
    }
  }
  return { batchItemFailures };
}
