import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** The side effects so far, by order: the outbox is emptied as it fills, so that a message is counted once. */
export class Outbox {
  readonly effects = new Map<string, number>();

  constructor(
    private readonly sqs: SQSClient,
    private readonly url: string,
  ) {}

  async collect(): Promise<void> {
    for (let messages = await this.receive(); messages.length > 0; messages = await this.receive()) {
      for (const { Body: body } of messages) {
        const { order } = JSON.parse(body ?? '') as { order: string };
        this.effects.set(order, (this.effects.get(order) ?? 0) + 1);
      }
    }
  }

  private async receive(): Promise<Message[]> {
    const QueueUrl = this.url;
    const { Messages: messages = [] } = await this.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    if (messages.length > 0) {
      const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    return messages;
  }
}
