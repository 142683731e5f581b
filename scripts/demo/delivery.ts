import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Order } from '../../examples/sqs-orders/src/order';
import type { Deployment } from './deployment';
import type { Plan } from './orders';
import { depth } from './queue-depth';

/** Sends the orders so that what the plan says of each happens. Resolves to the number of messages. */
export async function deliver(sqs: SQSClient, { queues }: Deployment, plan: Plan, signal: AbortSignal) {
  const retail = queues.retail.url;
  const wholesale = queues.wholesale.url;
  const ordinary = (channel: string) =>
    plan.ordinary
      .filter((order) => order.channel === channel)
      .flatMap((order) => Array<Order>(order.messages).fill(order));

  let sent = await send(sqs, wholesale, [plan.poison, plan.hanging]);
  sent += await send(sqs, retail, [plan.slow]);
  // Only once a function has the first message, so that the second is never in its batch.
  while ((await depth(sqs, retail)).inFlight === 0) await sleep(20, undefined, { signal });
  sent += await send(sqs, retail, [plan.slow]);
  sent += await send(sqs, retail, [...plan.neighbours, plan.crashing, ...ordinary('retail')]);
  sent += await send(sqs, wholesale, ordinary('wholesale'));
  return sent;
}

/** What SQS takes in one call, and Lambda by default in one invocation. */
const BATCH = 10;

async function send(sqs: SQSClient, url: string, orders: Order[]): Promise<number> {
  for (let start = 0; start < orders.length; start += BATCH) {
    const entries = orders.slice(start, start + BATCH).map(({ id, email, accident }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ id, email, accident }),
    }));
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
    if (Failed.length > 0)
      throw new Error(`SQS did not take ${Failed.length} messages: ${Failed[0]?.Message}`);
  }
  return orders.length;
}
