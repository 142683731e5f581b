import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface Depth {
  waiting: number;
  /** Received by a consumer, and not yet deleted or visible again. */
  inFlight: number;
}

export async function depth(sqs: SQSClient, url: string): Promise<Depth> {
  const { Attributes: attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return {
    waiting: Number(attributes?.ApproximateNumberOfMessages),
    inFlight: Number(attributes?.ApproximateNumberOfMessagesNotVisible),
  };
}
