import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient();

/** What a partner would be asked to do: one message in the outbox. */
export async function effect(what: string, of: string): Promise<{ messageId: string | undefined }> {
  const { MessageId: messageId } = await sqs.send(
    new SendMessageCommand({ QueueUrl: process.env.OUTBOX_URL, MessageBody: JSON.stringify({ what, of }) }),
  );
  return { messageId };
}
