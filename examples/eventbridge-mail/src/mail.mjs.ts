/** Mails a confirmation of each order that is placed, as a rule of EventBridge says. */
import type { EventBridgeEvent } from 'aws-lambda';
import { eventHandler, keyOf } from '/opt/nodejs/index.mjs';
import { type Order, sendMail } from './send-mail';

type OrderPlaced = EventBridgeEvent<'OrderPlaced', Order>;

// The order's own identifier: a producer that publishes again gets another one of EventBridge.
export const handler = eventHandler(
  { key: ({ detail }: OrderPlaced) => keyOf('order-mail', detail.id) },
  ({ detail }, run) => sendMail(detail, run),
);
