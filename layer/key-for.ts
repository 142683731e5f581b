import { ConfigurationError, InvalidKeyError } from './errors';
import { joined, keyOf, shortened } from './key-of';
import { callerOf } from './sources/http-caller';
import { readIdempotencyKey } from './sources/http-key';
import { type HttpEvent, readRequest } from './sources/http-request';

/** What is read of a notification of S3; the type of `@types/aws-lambda` is of this type. */
export interface S3Record {
  /** `ObjectCreated:Put` and the like. */
  eventName: string;
  s3: {
    bucket: { name: string };
    object: { key: string; versionId?: string | null | undefined; sequencer?: string | undefined };
  };
}

/**
 * Keys of what a source itself identifies: the message, the object's version, the change. They recognise a delivery that
 * comes again, and not a producer that sends twice: where the payload names the operation, `keyOf` with its identifier is
 * the better key. Never the invocation's request id, which a caller's retry has anew.
 *
 * The first argument names what is done about it, so that two functions that get the same record do not share a key.
 *
 * @throws InvalidKeyError for a name that is empty, and a record without what identifies it.
 * @example
 * eventHandler({ key: (record: S3EventRecord) => keyFor.s3('thumbnail', record) }, makeThumbnail)
 */
export const keyFor = {
  /**
   * By message id. A message that is redriven from a dead-letter queue has another one, and so has each of a producer's
   * tries; in a FIFO queue beyond the five minutes of its deduplication.
   *
   * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html
   */
  sqs: (operation: string, record: { messageId: string }): string =>
    key('sqs', operation, { messageId: record?.messageId }),

  /** By message id, which is the same for all subscribers and all of their deliveries. */
  sns: (operation: string, record: { Sns: { MessageId: string } }): string =>
    key('sns', operation, { 'Sns.MessageId': record?.Sns?.MessageId }),

  /** By event id, which is the same for all targets of a rule and all of their deliveries. */
  eventBridge: (operation: string, event: { id: string }): string =>
    key('eventBridge', operation, { id: event?.id }),

  /** By stream, shard and sequence number. */
  kinesis: (operation: string, record: { eventSourceARN: string; eventID: string }): string =>
    key('kinesis', operation, { eventSourceARN: record?.eventSourceARN, eventID: record?.eventID }),

  /** By the change's id, which is unique in the stream, and the stream. */
  dynamodb: (
    operation: string,
    record: { eventSourceARN?: string | undefined; eventID?: string | undefined },
  ): string =>
    key('dynamodb', operation, { eventSourceARN: record?.eventSourceARN, eventID: record?.eventID }),

  /**
   * By bucket, object, kind of event, and version; without versioning by sequencer, which each creation and deletion has.
   * Kinds of events that a version can see again (tagging, restoring) are told apart by sequencer only, and refused
   * where they have none.
   *
   * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
   */
  s3(operation: string, record: S3Record): string {
    const { eventName, s3 } = record ?? {};
    const { key: name, versionId, sequencer } = s3?.object ?? {};
    // Where versioning is suspended, every version is called null.
    const version = HAPPENS_ONCE.test(eventName) && versionId !== 'null' ? versionId : undefined;
    return key('s3', operation, {
      's3.bucket.name': s3?.bucket?.name,
      's3.object.key': typeof name === 'string' ? shortened(decoded(name)) : undefined,
      eventName,
      's3.object.sequencer': version || sequencer,
    });
  },

  /**
   * By caller, method, path and `Idempotency-Key`, as `httpHandler` does: for a guard of one's own.
   *
   * @param caller who AWS says sent the request. Default: whom the event's authorizer, IAM principal or API key names.
   * @throws InvalidKeyError also for a header that is missing or malformed; ConfigurationError where no caller is named,
   *   and for an event that is no HTTP request.
   */
  http(operation: string, event: HttpEvent, caller?: string): string {
    const { header, method, path } = readRequest(event);
    const by = caller ?? callerOf(event);
    if (by === undefined) throw nobody();
    const named = readIdempotencyKey(header('idempotency-key'));
    if (named === undefined) throw refused('http', 'one valid Idempotency-Key header');
    return keyOf(operation, by, method, shortened(path), named);
  },
};

// Each version is created once, and deleted once.
const HAPPENS_ONCE = /^Object(Created|Removed):/;

/** The operation is the developer's, the rest as AWS has named it. */
function key(source: string, operation: string, fields: Record<string, string | undefined>): string {
  const parts = Object.entries(fields).map(([name, value]) => {
    if (typeof value !== 'string' || value === '') throw refused(source, name);
    return value;
  });
  return `${keyOf(operation)}#${joined(parts)}`;
}

/** As the object is called: notifications have its key as a form would send it. */
function decoded(objectKey: string): string {
  try {
    return decodeURIComponent(objectKey.replaceAll('+', ' '));
  } catch {
    return objectKey;
  }
}

function refused(source: string, what: string): InvalidKeyError {
  return new InvalidKeyError(
    `keyFor.${source} was given a record without ${what}. Give it the record as it came, or make a key of what the record asks for by keyOf; nothing was run.`,
  );
}

function nobody(): ConfigurationError {
  return new ConfigurationError(
    'keyFor.http does not know who sent the request, and clients could get each other’s answers. Pass the caller as third argument; nothing was run.',
  );
}
