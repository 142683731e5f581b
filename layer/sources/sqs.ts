import { StillInProgressError } from '../errors';
import type { RemainingTime } from '../lock';
import { batchCalls, type Identified } from './batch';
import { inLanes, lanesOf } from './lanes';
import {
  BATCH_OPTIONS,
  type BatchOptions,
  type BatchResponse,
  checkOptions,
  type RecordWork,
} from './record-options';
import { warn, warnOfRest } from './record-warning';
import { readRecords } from './records';
import { timeLeft } from './time-left';

/**
 * A message as Lambda is given it; the type of `@types/aws-lambda` is of this type.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export interface SqsRecord {
  messageId: string;
  /** Differs with each delivery: no key may be made of it, nor of the record as a whole. */
  receiptHandle: string;
  body: string;
  attributes: {
    ApproximateReceiveCount: string;
    /** Epoch milliseconds, as are the other times. */
    SentTimestamp: string;
    ApproximateFirstReceiveTimestamp: string;
    SenderId: string;
    AWSTraceHeader?: string | undefined;
    SequenceNumber?: string | undefined;
    MessageGroupId?: string | undefined;
    MessageDeduplicationId?: string | undefined;
  };
  messageAttributes: Record<
    string,
    { dataType: string; stringValue?: string | undefined; binaryValue?: string | undefined }
  >;
  md5OfBody: string;
  eventSource: string;
  eventSourceARN: string;
  awsRegion: string;
}

/** How `sqsHandler` guards messages. */
export interface SqsOptions<T, R = SqsRecord> extends BatchOptions<T, R> {
  /**
   * Makes a message that another call is at work on come again when that call's lock has ended, and neither before, which
   * costs one of its receives, nor only after the queue's visibility timeout. Seconds are whole, and at most 42,300.
   * Needs `sqs:ChangeMessageVisibility`. Default: it comes again after the queue's visibility timeout.
   *
   * @example
   * changeVisibility: ({ receiptHandle }, seconds) =>
   *   sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds })
   */
  changeVisibility?: (record: R, seconds: number) => unknown;
}

const SOURCE = { name: 'aws:sqs', id: { of: (record: SqsRecord) => record.messageId, at: 'messageId' } };
const OPTIONS = [...BATCH_OPTIONS, 'changeVisibility'];

// A message may stay invisible for twelve hours from its receipt, which is at most a function's longest run ago.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
const LONGEST_VISIBILITY_SECONDS = 12 * 60 * 60 - 900;

/**
 * A handler for an SQS queue, which carries out once what its messages ask for, and answers which of them must come
 * again. The event source mapping needs `ReportBatchItemFailures`, without which Lambda takes every message for done;
 * the module sets it.
 *
 * - Messages of a standard queue run side by side. Equal keys in a batch run once, and all of their messages are done.
 * - In a FIFO queue those of a message group run in their order, groups side by side; what follows a failure in its
 *   group is returned unprocessed.
 * - A message that another call is at work on is returned.
 * - So is, unprocessed, what cannot finish in the time left if it takes as long as the longest message so far.
 *
 * What the work throws is written to the log as a process warning, and the key is free again when the message comes.
 *
 * @throws ConfigurationError for an unknown option or a wrong value, when the handler is made.
 * @returns a handler that rejects with ConfigurationError for an event that is not of SQS, and for nothing else.
 * @example
 * export const handler = sqsHandler({ key: (order: Order) => keyOf('order-confirmation', order.id) }, (order, run) =>
 *   send(order, { idempotencyKey: run.idempotencyKey() }))
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function sqsHandler<T, R extends SqsRecord, C extends RemainingTime>(
  options: SqsOptions<T, R>,
  work: RecordWork<T, R, C>,
): (event: { Records: R[] }, context: C) => Promise<BatchResponse> {
  checkOptions('sqsHandler', options, OPTIONS, work);
  const { changeVisibility, ...batch } = options;
  const { parse = (record) => JSON.parse(record.body) as T, concurrency = 10 } = batch;

  return async (event, context) => {
    const records = readRecords<R>('sqsHandler', event, [SOURCE]);
    const time = timeLeft('sqsHandler', context);
    const attempt = batchCalls(parse, batch, work, context, time);
    const lanes = lanesOf(records, ({ record }, position) => groupOf(record) ?? position);
    const undone = new Map(records.entries());
    let started = 0;

    await inLanes(lanes, concurrency, time.forOneMore, async (position) => {
      const message = records[position] as Identified<R>;
      started++;
      const failure = await attempt(message);
      if (failure && changeVisibility) await postpone(message, failure.why, changeVisibility);
      else if (!failure) undone.delete(position);
      return !failure;
    });
    warnOfRest(records.length - started);
    const ids = new Set([...undone.values()].map(({ id }) => id));
    return { batchItemFailures: [...ids].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** A group whose order counts. Standard queues have message groups, too, but only for fairness. */
function groupOf({ eventSourceARN, attributes }: SqsRecord): string | undefined {
  if (!eventSourceARN?.endsWith('.fifo')) return undefined;
  return attributes?.MessageGroupId ?? '';
}

async function postpone<R>(
  { record, id }: Identified<R>,
  why: unknown,
  changeVisibility: (record: R, seconds: number) => unknown,
): Promise<void> {
  if (!(why instanceof StillInProgressError)) return;
  try {
    await changeVisibility(record, Math.min(why.retryAfterSeconds, LONGEST_VISIBILITY_SECONDS));
  } catch (error) {
    // It comes again all the same, only not at the best moment.
    warn(
      'IDEMPOTENCY_VISIBILITY_NOT_CHANGED',
      `Record ${id} comes again after the queue's visibility timeout, because changeVisibility threw ${(error as Error)?.name}.`,
    );
  }
}
