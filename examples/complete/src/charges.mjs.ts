/** Charges the card of each order, from a standard queue. */
import { keyOf, sqsHandler } from '/opt/nodejs/index.mjs';
import { effect } from './effect';

export const handler = sqsHandler({ key: (order: { id: string }) => keyOf('charge', order.id) }, (order) =>
  effect('charge', order.id),
);
