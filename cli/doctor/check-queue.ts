import type { EventSourceMappingConfiguration } from '@aws-sdk/client-lambda';
import { checkRetention } from './check-retention';
import { type Finding, failed, passed } from './finding';

/** The function that consumes, in seconds. */
export interface Consumer {
  timeout: number;
  keepFor: number | undefined;
}

// The module asks for no less: five throttles must not send a message away.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
const LEAST_RECEIVES = 5;

/** A queue's settings against those of its function. */
export function checkQueue(
  mapping: EventSourceMappingConfiguration,
  attributes: Record<string, string> | undefined,
  consumer: Consumer,
): Finding[] {
  const arn = mapping.EventSourceArn ?? '';
  const subject = arn.split(':').at(-1) ?? arn;
  const named = (check: string) => ({ check: `queue.${check}`, subject });
  if (attributes === undefined) {
    return [
      failed(named('exists'), 'the mapping is to a queue that does not exist', {
        fix: 'Make the queue, or remove the mapping.',
        terraform: 'event_source_arn = aws_sqs_queue.this.arn',
      }),
    ];
  }
  const visibility = Number(attributes.VisibilityTimeout);
  const receives = receivesOf(attributes.RedrivePolicy);
  return [
    visibilityTimeout(named('visibility_timeout'), visibility, mapping, consumer),
    deadLetters(named('dead_letter_queue'), receives),
    ...(receives === undefined ? [] : [retention(named('retention'), receives * visibility, consumer)]),
  ];
}

type Named = Pick<Finding, 'check' | 'subject'>;

/** Six times the function's timeout and the batching window: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
function visibilityTimeout(
  named: Named,
  visibility: number,
  { MaximumBatchingWindowInSeconds: window = 0 }: EventSourceMappingConfiguration,
  { timeout }: Consumer,
): Finding {
  const least = 6 * timeout + window;
  const rule = `6 × its function's timeout (${timeout} s) + the batching window (${window} s) = ${least} s`;
  if (visibility >= least) return passed(named, `${visibility} s, at least ${rule}`);
  return failed(named, `${visibility} s, less than ${rule}: messages come again while they are at work`, {
    fix: `Raise it to ${least} seconds, or lower the function's timeout.`,
    terraform: `visibility_timeout_seconds = ${least}`,
  });
}

function receivesOf(redrivePolicy: string | undefined): number | undefined {
  if (redrivePolicy === undefined) return undefined;
  return Number((JSON.parse(redrivePolicy) as { maxReceiveCount?: number | string }).maxReceiveCount);
}

function deadLetters(named: Named, receives: number | undefined): Finding {
  const terraform = `redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.dlq.arn, maxReceiveCount = ${LEAST_RECEIVES} })`;
  if (receives === undefined) {
    return failed(
      named,
      'it has none: a message that always fails comes again until it is too old, and is lost',
      {
        fix: 'Give it a dead-letter queue.',
        terraform,
      },
    );
  }
  if (receives >= LEAST_RECEIVES) return passed(named, `messages go there after ${receives} receives`);
  return failed(named, `messages go there after ${receives} receives, to which throttles count, too`, {
    fix: `Let it be at least ${LEAST_RECEIVES}.`,
    terraform,
  });
}

/** From a message's first receive to its last; one that is redriven starts anew. */
function retention(named: Named, longest: number, { keepFor }: Consumer): Finding {
  const fix = 'Keep results for as long.';
  const terraform = `keep_for_seconds = ${longest}`;
  return checkRetention(named, { what: 'a message', longest, fix, terraform }, keepFor);
}
