import { randomUUID } from 'node:crypto';
import type { Run } from '/opt/nodejs/index.mjs';
import { addressOf } from './address-book';

/** What an event's `detail` carries. */
export interface Order {
  id: string;
  customer: string;
}

/**
 * The side effect: one mail in the outbox, stored in one transaction with the completion. A mail service knows no key to
 * recognise a repetition by, so a function that died just after sending would send again; whoever empties the outbox has
 * one item a mail to go by.
 *
 * @returns the mail's identifier, so that a repetition of the event is answered the same.
 */
export async function sendMail(order: Order, run: Run): Promise<{ mail: string }> {
  const to = await addressOf(order.customer, run.signal);
  const mail = randomUUID();
  run.commit({
    Put: {
      TableName: process.env.OUTBOX_TABLE as string,
      Item: { id: mail, order: order.id, to, subject: `Your order ${order.id}` },
    },
  });
  return { mail };
}
