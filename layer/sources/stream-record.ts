import { ConfigurationError } from '../errors';
import { type ItemImage, plainItem } from './item-image';
import type { Source } from './records';

/**
 * A record of a Kinesis stream; the type of `@types/aws-lambda` is of this type.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
export interface KinesisRecord {
  /** Shard and sequence number. */
  eventID: string;
  eventName: string;
  eventSource: string;
  eventSourceARN: string;
  eventVersion: string;
  invokeIdentityArn: string;
  awsRegion: string;
  kinesis: {
    partitionKey: string;
    sequenceNumber: string;
    /** Base64. */
    data: string;
    /** Epoch seconds, with a fraction. */
    approximateArrivalTimestamp: number;
    kinesisSchemaVersion: string;
  };
}

/**
 * A record of a DynamoDB stream; the type of `@types/aws-lambda` is of this type.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export interface DynamoDBRecord {
  eventID?: string | undefined;
  eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined;
  eventSource?: string | undefined;
  eventSourceARN?: string | undefined;
  eventVersion?: string | undefined;
  awsRegion?: string | undefined;
  /** Who did it, where it was a service: a deletion by TTL has `dynamodb.amazonaws.com`. */
  userIdentity?: { type: string; principalId: string } | undefined;
  dynamodb?: Change | undefined;
}

interface Change {
  Keys?: ItemImage | undefined;
  NewImage?: ItemImage | undefined;
  OldImage?: ItemImage | undefined;
  SequenceNumber?: string | undefined;
  /** Epoch seconds. */
  ApproximateCreationDateTime?: number | undefined;
  SizeBytes?: number | undefined;
  StreamViewType?: string | undefined;
}

/** A record of a stream, as the function is given it. */
export type StreamRecord = KinesisRecord | DynamoDBRecord;

/** What happened to an item, in plain values: `{ id: '7' }`, not `{ id: { S: '7' } }`. */
export interface ItemChange<I = Record<string, unknown>> {
  Keys: Record<string, unknown>;
  /** The item as it is now; undefined once it is deleted, or where the stream's view has no new images. */
  NewImage: I | undefined;
  OldImage: I | undefined;
}

export const KINESIS: Source = {
  name: 'aws:kinesis',
  id: { of: (record: KinesisRecord) => record.kinesis?.sequenceNumber, at: 'kinesis.sequenceNumber' },
};

export const DYNAMODB: Source = {
  name: 'aws:dynamodb',
  id: { of: (record: DynamoDBRecord) => record.dynamodb?.SequenceNumber, at: 'dynamodb.SequenceNumber' },
};

/** What keeps its order: the records of a partition key, the changes of an item. */
export function partitionOf(record: StreamRecord): string {
  if ('kinesis' in record) return record.kinesis.partitionKey;
  const keys = Object.entries(changeOf(record).Keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(keys);
}

/** The data as JSON, or the change in plain values. */
export function payloadOf(record: StreamRecord): unknown {
  if ('kinesis' in record) {
    const data = Buffer.from(record.kinesis.data, 'base64');
    if (isAggregated(data)) throw aggregated();
    return JSON.parse(data.toString('utf8'));
  }
  const { Keys, NewImage, OldImage } = changeOf(record);
  return {
    Keys: plainItem(Keys ?? {}),
    NewImage: NewImage && plainItem(NewImage),
    OldImage: OldImage && plainItem(OldImage),
  };
}

/** Present, as its sequence number has been read. */
function changeOf(record: DynamoDBRecord): Change {
  return record.dynamodb as Change;
}

// https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
const MAGIC = Buffer.from('f3899ac2', 'hex');

function isAggregated(data: Buffer): boolean {
  return data.subarray(0, MAGIC.length).equals(MAGIC);
}

function aggregated(): ConfigurationError {
  return new ConfigurationError(
    'The Kinesis Producer Library has aggregated several records into this one, of which none could come again alone. Turn AggregationEnabled off at the producer, or de-aggregate the record in parse and take it as a whole; the work was not run.',
  );
}
