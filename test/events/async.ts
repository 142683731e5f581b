import type { EventBridgeEvent, S3Event, S3EventRecord, SNSEvent, SNSEventRecord } from 'aws-lambda';

/**
 * A notification as S3 sends it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
export function s3Record(
  object: Partial<S3EventRecord['s3']['object']> = {},
  eventName = 'ObjectCreated:Put',
): S3EventRecord {
  return {
    eventVersion: '2.1',
    eventSource: 'aws:s3',
    awsRegion: 'us-west-2',
    eventTime: '1970-01-01T00:00:00.000Z',
    eventName,
    userIdentity: { principalId: 'AIDAJDPLRKLG7UEXAMPLE' },
    requestParameters: { sourceIPAddress: '172.16.0.1' },
    responseElements: {
      'x-amz-request-id': 'C3D13FE58DE4C810',
      'x-amz-id-2': 'FMyUVURIY8/IgAtTv8xRjskZQpcIZ9KG4V5Wp6S7S/JRWeUWerMUE5JgHvANOjpD',
    },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: 'testConfigRule',
      bucket: {
        name: 'amzn-s3-demo-bucket',
        ownerIdentity: { principalId: 'A3NL1KOZZKExample' },
        arn: 'arn:aws:s3:::amzn-s3-demo-bucket',
      },
      object: {
        key: 'HappyFace.jpg',
        size: 1024,
        eTag: 'd41d8cd98f00b204e9800998ecf8427e',
        versionId: '096fKKXTRTtl3on89fVO.nfljtsv6qko',
        sequencer: '0055AED6DCD90281E5',
        ...object,
      },
    },
  };
}

export const s3Event = (...Records: S3EventRecord[]): S3Event => ({ Records });

/**
 * A message as Lambda receives it from a topic.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-sns.html
 */
export function snsRecord(
  Message: string,
  MessageId = '95df01b4-ee98-5cb9-9903-4c221d41eb5e',
): SNSEventRecord {
  return {
    EventVersion: '1.0',
    EventSubscriptionArn:
      'arn:aws:sns:us-east-1:123456789012:sns-lambda:21be56ed-a058-49f5-8c98-aedd2564c486',
    EventSource: 'aws:sns',
    Sns: {
      SignatureVersion: '1',
      Timestamp: '2019-01-02T12:45:07.000Z',
      Signature: 'tcc6faL2yUC6dgZdmrwh1Y4cGa/ebXEkAi6RibDsvpi+tE/1+82j...65r==',
      SigningCertUrl:
        'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-ac565b8b1a6c5d002d285f9598aa1d9b.pem',
      MessageId,
      Message,
      MessageAttributes: { Test: { Type: 'String', Value: 'TestString' } },
      Type: 'Notification',
      UnsubscribeUrl: 'https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe',
      TopicArn: 'arn:aws:sns:us-east-1:123456789012:sns-lambda',
      Subject: 'TestInvoke',
    },
  };
}

export const snsEvent = (...Records: SNSEventRecord[]): SNSEvent => ({ Records });

/**
 * An event as EventBridge sends it.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html
 */
export function eventBridgeEvent<D>(detail: D): EventBridgeEvent<'OrderPlaced', D> {
  return {
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    'detail-type': 'OrderPlaced',
    source: 'com.example.shop',
    account: '111122223333',
    time: '2017-12-22T18:43:48Z',
    region: 'us-west-1',
    resources: [],
    detail,
  };
}
