import { ConfigurationError } from '../errors';
import type { Identified } from './batch';

/** What a source's records are told by, and reported by. */
export interface Source {
  /** As the records say it: `aws:sqs`. */
  name: string;
  /** What a record is reported by, and where it stands in one. */
  id: { of(record: never, index: number): unknown; at: string };
}

/**
 * The records of an event, all from the same one of the sources. What a record carries is not looked at here: it must
 * not fail the others.
 *
 * @throws ConfigurationError for any other event; nothing was run then.
 */
export function readRecords<R>(handler: string, event: unknown, sources: Source[]): Identified<R>[] {
  const records = (event as { Records?: unknown } | null | undefined)?.Records;
  if (!Array.isArray(records)) throw wrongEvent(handler, 'it has no list of Records');
  const [first] = records.map(sourceOf);
  return records.map((record, index) => {
    const name = sourceOf(record);
    const number = index + 1;
    if (name !== first) {
      throw wrongEvent(handler, `record 1 is of ${told(first)}, but record ${number} of ${told(name)}`);
    }
    const source = sources.find((known) => known.name === name);
    if (!source) throw wrongEvent(handler, `record ${number} is of ${told(name)}`);
    const id = source.id.of(record as never, index);
    if (typeof id !== 'string' || id === '') {
      throw wrongEvent(handler, `record ${number} has no ${source.id.at}`);
    }
    return { record, id };
  });
}

/** SNS alone has it with a capital. */
function sourceOf(record: unknown): unknown {
  const { eventSource, EventSource } = Object(record) as { eventSource?: unknown; EventSource?: unknown };
  return eventSource ?? EventSource;
}

// Whatever else stands there may be a payload, and this goes to the log.
function told(source: unknown): string {
  return typeof source === 'string' && /^aws:[\w-]{1,32}$/.test(source) ? source : 'no known source';
}

export function wrongEvent(handler: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `${handler} was given an event that it is not for: ${why}. Attach sqsHandler to queues, streamHandler to Kinesis and DynamoDB Streams, eventHandler to S3, SNS, EventBridge and asynchronous invocations; nothing was run.`,
  );
}
