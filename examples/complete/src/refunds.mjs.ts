/** Pays back, from a FIFO queue: refunds of one order in the order in which they were asked for. */
import { keyOf, sqsHandler } from '/opt/nodejs/index.mjs';
import { effect } from './effect';

export const handler = sqsHandler({ key: (refund: { id: string }) => keyOf('refund', refund.id) }, (refund) =>
  effect('refund', refund.id),
);
