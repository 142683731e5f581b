import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from './deployment';
import type { Outbox } from './outbox';
import { depth } from './queue-depth';

const SETTLED_WITHIN_SECONDS = 240;

/**
 * Resolves once no message is left to be handled: each is done or in a dead-letter queue.
 *
 * @returns the number of messages in the dead-letter queues.
 */
export async function untilSettled(
  sqs: SQSClient,
  { queues }: Deployment,
  outbox: Outbox,
  show: (progress: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const until = Date.now() + SETTLED_WITHIN_SECONDS * 1000;
  let shown = '';
  for (;;) {
    await outbox.collect();
    const { waiting, inFlight } = await depthOf([queues.retail.url, queues.wholesale.url]);
    const { waiting: dead } = await depthOf([queues.retail.dlq_url, queues.wholesale.dlq_url]);
    const progress = `${outbox.effects.size} orders confirmed, ${waiting} messages waiting, ${inFlight} in flight or to be retried, ${dead} dead`;
    if (progress !== shown) show(progress);
    shown = progress;
    if (waiting + inFlight === 0) {
      // What was sent between the first look and the last.
      await outbox.collect();
      return dead;
    }
    if (Date.now() > until)
      throw new Error(`Not settled within ${SETTLED_WITHIN_SECONDS} seconds: ${progress}.`);
    await sleep(250, undefined, { signal });
  }

  async function depthOf(urls: string[]) {
    const depths = await Promise.all(urls.map((url) => depth(sqs, url)));
    return {
      waiting: depths.reduce((sum, { waiting }) => sum + waiting, 0),
      inFlight: depths.reduce((sum, { inFlight }) => sum + inFlight, 0),
    };
  }
}
