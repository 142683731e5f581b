import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Run } from '/opt/nodejs/index.mjs';
import { rehearse } from './accident';
import { journal } from './journal';
import type { Order } from './order';

const sqs = new SQSClient();

/**
 * The side effect: one message in the outbox, where another service picks it up and writes the mail.
 *
 * @returns the message's identifier, so that a duplicate of the order is told the same.
 * @throws where the order has no address. No retry mends that: the order ends up in the dead-letter queue.
 */
export async function sendConfirmation(order: Order, run: Run): Promise<{ messageId: string | undefined }> {
  journal({ started: run.key, attempt: run.attempt });
  await rehearse(order.accident, run.attempt);
  if (!order.email) throw new Error(`Order ${order.id} has no email address.`);
  const { MessageId: messageId } = await sqs.send(
    new SendMessageCommand({
      QueueUrl: process.env.OUTBOX_URL,
      MessageBody: JSON.stringify({ order: order.id, to: order.email }),
    }),
  );
  return { messageId };
}
