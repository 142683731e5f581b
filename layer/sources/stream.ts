import { ConfigurationError } from '../errors';
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
import { warnOfRest } from './record-warning';
import { readRecords } from './records';
import { DYNAMODB, KINESIS, partitionOf, payloadOf, type StreamRecord } from './stream-record';
import { timeLeft } from './time-left';

/** How `streamHandler` guards records. Where another call is at work on one, it waits, unless `whenInProgress` says not to. */
export type StreamOptions<T, R = StreamRecord> = BatchOptions<T, R>;

/**
 * A handler for a Kinesis or DynamoDB stream, which carries out once what its records ask for. Records of a partition
 * key (changes of an item) run in their order, partition keys side by side. It stops at the first record that fails, or
 * that cannot finish in the time left if it takes as long as the longest one so far, and answers that record's sequence
 * number: Lambda sends it and all that follow again, and those of them that are done are not run again.
 *
 * The work is given the record's data as JSON, or the change of an item as {@link ItemChange}; `parse` may give it
 * something else. The event source mapping needs `ReportBatchItemFailures`, and an end to its retries with a destination
 * for what they cannot mend, or one record holds up its shard until it expires; the module sets both. A record whose
 * failure is to hold up nothing is one that the work catches, and answers.
 *
 * Records that the Kinesis Producer Library has aggregated, and tumbling windows, are out of scope.
 *
 * @throws ConfigurationError for an unknown option or a wrong value, when the handler is made.
 * @returns a handler that rejects with ConfigurationError for an event that is of no stream, and for nothing else.
 * @example
 * export const handler = streamHandler({ key: (payment: Payment) => keyOf('book', payment.id) }, (payment, run) =>
 *   run.commit({ Update: bookingOf(payment) }))
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-batchfailurereporting.html
 */
export function streamHandler<T, R extends StreamRecord, C extends RemainingTime>(
  options: StreamOptions<T, R>,
  work: RecordWork<T, R, C>,
): (event: { Records: R[] }, context: C) => Promise<BatchResponse> {
  checkOptions('streamHandler', options, BATCH_OPTIONS, work);
  // A record that is returned costs one of the tries that the mapping allows, and its shard cannot go on meanwhile.
  const batch = { ...options, whenInProgress: options.whenInProgress ?? 'wait' };
  const { parse = (record) => payloadOf(record) as T, concurrency = 10 } = batch;

  return async (event, context) => {
    const records = readRecords<R>('streamHandler', event, [KINESIS, DYNAMODB]);
    if ((event as { window?: unknown }).window !== undefined) throw windowed();
    const time = timeLeft('streamHandler', context);
    const attempt = batchCalls(parse, batch, work, context, time);
    const lanes = lanesOf(records, ({ record }) => partitionOf(record));
    const undone = new Map(records.entries());
    let firstFailure = records.length;
    let started = 0;

    await inLanes(lanes, concurrency, time.forOneMore, async (position) => {
      // What follows the failure comes again; what precedes it must be done first.
      if (position > firstFailure) return false;
      started++;
      const failure = await attempt(records[position] as Identified<R>);
      if (failure) firstFailure = Math.min(firstFailure, position);
      else undone.delete(position);
      return true;
    });
    warnOfRest(records.length - started);
    // A Map keeps the order of insertion, which is that of the batch.
    const [first] = undone.values();
    return { batchItemFailures: first ? [{ itemIdentifier: first.id }] : [] };
  };
}

/** Its answer has to carry the window's state on, which would be lost here without a word. */
function windowed(): ConfigurationError {
  return new ConfigurationError(
    'streamHandler was given a batch of a tumbling window, whose state it does not carry. Set no tumbling_window_in_seconds on the event source mapping; nothing was run.',
  );
}
