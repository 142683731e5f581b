import type {
  DynamoDBRecord,
  DynamoDBStreamEvent,
  KinesisStreamEvent,
  KinesisStreamRecord,
} from 'aws-lambda';

/**
 * A record as Lambda receives it from a Kinesis stream.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-kinesis.html
 */
export function kinesisRecord(
  data: string | Uint8Array,
  partitionKey = '1',
  sequence = 1,
): KinesisStreamRecord {
  const sequenceNumber = String(49590338271490256608559692538361571095921575989136588898n + BigInt(sequence));
  return {
    kinesis: {
      kinesisSchemaVersion: '1.0',
      partitionKey,
      sequenceNumber,
      data: Buffer.from(data).toString('base64'),
      approximateArrivalTimestamp: 1545084650.987,
    },
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `shardId-000000000006:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: 'arn:aws:iam::123456789012:role/lambda-role',
    awsRegion: 'us-east-2',
    eventSourceARN: 'arn:aws:kinesis:us-east-2:123456789012:stream/lambda-stream',
  };
}

/** A batch of these values as JSON, each with its partition key. */
export function kinesisEvent(records: [value: unknown, partitionKey: string][]): KinesisStreamEvent {
  return {
    Records: records.map(([value, key], index) => kinesisRecord(JSON.stringify(value), key, index + 1)),
  };
}

/**
 * A change as Lambda receives it from a DynamoDB stream.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export function dynamodbRecord(
  id: string,
  sequence = 1,
  dynamodb: DynamoDBRecord['dynamodb'] = {},
): DynamoDBRecord {
  return {
    eventID: `c4ca4238a0b923820dcc509a6f7584${sequence}`,
    eventVersion: '1.0',
    dynamodb: {
      ApproximateCreationDateTime: 1479499740,
      Keys: { Id: { S: id } },
      NewImage: { Message: { S: 'New item!' }, Id: { S: id } },
      SequenceNumber: String(4421584500000000017450439000n + BigInt(sequence)),
      SizeBytes: 26,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      ...dynamodb,
    },
    awsRegion: 'us-west-2',
    eventName: 'INSERT',
    eventSourceARN:
      'arn:aws:dynamodb:us-east-2:123456789012:table/lambda-dynamodb-stream/stream/2016-11-18T12:09:36.000',
    eventSource: 'aws:dynamodb',
  };
}

export function dynamodbEvent(ids: string[]): DynamoDBStreamEvent {
  return { Records: ids.map((id, index) => dynamodbRecord(id, index + 1)) };
}
