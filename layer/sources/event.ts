import { ConfigurationError } from '../errors';
import type { RemainingTime } from '../lock';
import type { Identified } from './batch';
import { inLanes, lanesOf } from './lanes';
import { Malformed } from './malformed';
import { recordCalls } from './record-call';
import { checkOptions, RECORD_OPTIONS, type RecordOptions, type RecordWork } from './record-options';
import { warnOfFailure } from './record-warning';
import { readRecords, type Source, wrongEvent } from './records';
import { timeLeft } from './time-left';

/**
 * How `eventHandler` guards what an event asks for. Where another call is at work on it, it waits, unless
 * `whenInProgress` says not to.
 */
export type EventOptions<T> = RecordOptions<T, T>;

/** Answers what the work does for an event of one, and nothing for one of `Records`, each of which has its own answer. */
export interface EventHandler<T, C, A> {
  (event: { Records: T[] }, context: C): Promise<void>;
  (event: T, context: C): Promise<A>;
}

// Their number: no record is reported alone, since any of them brings the whole event again.
const id = { of: (_: unknown, index: number) => `${index + 1}`, at: '' };
const S3: Source = { name: 'aws:s3', id };
const SNS: Source = { name: 'aws:sns', id };

/**
 * A handler for what is invoked asynchronously: by S3, SNS, EventBridge, or directly with invocation type `Event`. The
 * work is given each of an event's `Records`, or the event itself where it has none, as Lambda gave it.
 *
 * Where a record fails, the others are carried out all the same; then the error is thrown, and Lambda tries the whole
 * event again, one and two minutes later: the records that are done are not run again. The module says how often, and
 * where an event goes that is given up (`async_functions`).
 *
 * @throws ConfigurationError for an unknown option or a wrong value, when the handler is made.
 * @returns a handler that rejects with a record's error (an AggregateError of several) and with ConfigurationError for
 *   an event of a queue or stream, and where too little time is left for all records.
 * @example
 * export const handler = eventHandler({ key: (record: S3EventRecord) => keyFor.s3('thumbnail', record) }, (record) =>
 *   makeThumbnail(record.s3))
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export function eventHandler<T, C extends RemainingTime, A>(
  options: EventOptions<T>,
  work: RecordWork<T, T, C, A>,
): EventHandler<T, C, A> {
  checkOptions('eventHandler', options, RECORD_OPTIONS, work);
  // Lambda tries an event twice more, within minutes: it would be given up before the lock of a run that died has ended.
  const { concurrency = 10, whenInProgress = 'wait', ...others } = options;
  const each = { ...others, whenInProgress };

  async function handler(event: unknown, context: C): Promise<A | undefined> {
    const records = readEvent<T>(event);
    const alone = isAlone(event);
    const time = timeLeft('eventHandler', context);
    const carryOut = recordCalls((record: T) => record, each, work, context, time);
    const failures: { id: string; error: unknown }[] = [];
    let answer: A | undefined;
    let started = 0;

    const lanes = lanesOf(records, (_, position) => position);
    await inLanes(lanes, concurrency, time.forOneMore, async (position) => {
      const { record, id } = records[position] as Identified<T>;
      started++;
      try {
        answer = await carryOut(record);
      } catch (error) {
        failures.push({ id, error });
      }
      return true;
    });
    if (started < records.length) failures.push({ id: 'rest', error: tooLate(records.length - started) });
    if (failures.length > 0) throw errorOf(failures, records.length);
    return alone ? answer : undefined;
  }
  return handler as EventHandler<T, C, A>;
}

// Whose batches are no lists.
const BATCHES: unknown[] = ['aws:kafka', 'SelfManagedKafka', 'aws:mq', 'aws:rmq'];

function readEvent<T>(event: unknown): Identified<T>[] {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw wrongEvent('eventHandler', 'it is no object');
  }
  const { eventSource } = event as { eventSource?: unknown };
  if (BATCHES.includes(eventSource)) throw wrongEvent('eventHandler', `it is a batch of ${eventSource}`);
  return isAlone(event)
    ? [{ record: event as T, id: '1' }]
    : readRecords<T>('eventHandler', event, [S3, SNS]);
}

function isAlone(event: unknown): boolean {
  return !Object.hasOwn(event as object, 'Records');
}

/** One error as it is; of several, each in the log, since Lambda writes what they have in common only. */
function errorOf(failures: { id: string; error: unknown }[], of: number): unknown {
  const errors = failures.map(({ error }) => (error instanceof Malformed ? error.cause : error));
  if (errors.length === 1) return errors[0];
  for (const { id, error } of failures) warnOfFailure(id, error);
  return new AggregateError(
    errors,
    `Of the event's ${of} records, several failed; the whole event comes again.`,
  );
}

function tooLate(count: number): ConfigurationError {
  return new ConfigurationError(
    `${count} records of the event were not started, because too little of the invocation's time is left. Raise the function's timeout.`,
  );
}
