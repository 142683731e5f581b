/** Books each payment of a stream. */
import { keyOf, streamHandler } from '/opt/nodejs/index.mjs';
import { effect } from './effect';

export const handler = streamHandler(
  { key: (payment: { id: string }) => keyOf('book', payment.id) },
  (payment) => effect('book', payment.id),
);
