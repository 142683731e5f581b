import type { SQSEvent, SQSRecord } from 'aws-lambda';

/**
 * A message as Lambda receives it from a standard queue.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export function sqsRecord(body: string, changes: Partial<SQSRecord> = {}): SQSRecord {
  return {
    messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
    receiptHandle: `AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a${Math.random()}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1545082649183',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: '1545082649185',
    },
    messageAttributes: {
      myAttribute: { stringValue: 'myValue', stringListValues: [], binaryListValues: [], dataType: 'String' },
    },
    md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-2:123456789012:my-queue',
    awsRegion: 'us-east-2',
    ...changes,
  };
}

/** A message as Lambda receives it from a FIFO queue. */
export function fifoRecord(body: string, group: string, changes: Partial<SQSRecord> = {}): SQSRecord {
  const record = sqsRecord(body, {
    eventSourceARN: 'arn:aws:sqs:us-east-2:123456789012:fifo.fifo',
    ...changes,
  });
  const attributes = {
    ...record.attributes,
    SequenceNumber: '18849496460467696128',
    MessageGroupId: group,
    MessageDeduplicationId: '1',
  };
  return { ...record, attributes };
}

/** A batch of messages with these bodies as JSON, and with message ids `m1`, `m2`, … */
export function sqsEvent(bodies: unknown[], toRecord = sqsRecord): SQSEvent {
  return {
    Records: bodies.map((body, index) => toRecord(JSON.stringify(body), { messageId: `m${index + 1}` })),
  };
}
