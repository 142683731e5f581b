/** Mails a receipt, as an asynchronous invocation asks for it. */
import { eventHandler, keyOf } from '/opt/nodejs/index.mjs';
import { effect } from './effect';

export const handler = eventHandler({ key: (order: { id: string }) => keyOf('receipt', order.id) }, (order) =>
  effect('receipt', order.id),
);
