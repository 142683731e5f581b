import { jest } from '@jest/globals';
import type { S3EventRecord, SNSEventRecord } from 'aws-lambda';
import { ConfigurationError, InvalidKeyError, StillInProgressError } from '../../../layer/errors';
import { keyFor } from '../../../layer/key-for';
import { keyOf } from '../../../layer/key-of';
import { type EventOptions, eventHandler } from '../../../layer/sources/event';
import { idle } from '../../../testing/virtual-clock';
import { eventBridgeEvent, s3Event, s3Record, snsEvent, snsRecord } from '../../events/async';
import { sqsRecord } from '../../events/sqs';
import { dynamodbRecord, kinesisRecord } from '../../events/streams';
import { gate, once } from './once';

interface Mail {
  id: string;
}

/** `eventHandler` on a table of its own, for direct invocations. */
function mailer(work: (mail: Mail) => unknown, options: Partial<EventOptions<Mail>> = {}) {
  const parts = once();
  const handler = eventHandler(
    { key: (mail: Mail) => keyOf('mail', mail.id), runOnce: parts.runOnce, ...options },
    work,
  );
  return { ...parts, handler, handle: (event: unknown) => handler(event as Mail, parts.invocation()) };
}

/** The same for S3. */
function thumbnails(
  work: (record: S3EventRecord) => unknown,
  options: Partial<EventOptions<S3EventRecord>> = {},
) {
  const parts = once();
  const key = (record: S3EventRecord) => keyFor.s3('thumbnail', record);
  const handler = eventHandler({ key, runOnce: parts.runOnce, ...options }, work);
  return {
    ...parts,
    handle: (...records: S3EventRecord[]) => handler(s3Event(...records), parts.invocation()),
  };
}

const photo = (key: string) => s3Record({ key });

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

it('carries out each record of a notification of S3 once', async () => {
  const work = jest.fn((_: S3EventRecord) => 'made');
  const { handle, items } = thumbnails(work);
  const records = [photo('a.jpg'), photo('b.jpg')];
  await expect(handle(...records)).resolves.toBeUndefined();
  await expect(handle(...records)).resolves.toBeUndefined();
  expect(work.mock.calls.map(([record]) => record)).toEqual(records);
  expect([...items.keys()]).toEqual([
    'thumbnail#amzn-s3-demo-bucket#a.jpg#ObjectCreated:Put#096fKKXTRTtl3on89fVO.nfljtsv6qko',
    'thumbnail#amzn-s3-demo-bucket#b.jpg#ObjectCreated:Put#096fKKXTRTtl3on89fVO.nfljtsv6qko',
  ]);
});

it('carries out each message of SNS once', async () => {
  const { runOnce, invocation } = once();
  const work = jest.fn();
  const handler = eventHandler(
    { key: (record: SNSEventRecord) => keyFor.sns('mail', record), runOnce },
    work,
  );
  const event = snsEvent(snsRecord('hello'));
  await handler(event, invocation());
  await handler(structuredClone(event), invocation());
  expect(work).toHaveBeenCalledTimes(1);
  expect(work.mock.calls[0]?.[0]).toEqual(event.Records[0]);
});

it('carries out an event of EventBridge once, and answers what the work did', async () => {
  const { runOnce, invocation } = once();
  const event = eventBridgeEvent({ orderId: '7' });
  const work = jest.fn(async (_: typeof event) => ({ mailed: true }));
  const handler = eventHandler(
    { key: ({ detail }: typeof event) => keyOf('mail', detail.orderId), runOnce },
    work,
  );
  await expect(handler(event, invocation())).resolves.toEqual({ mailed: true });
  await expect(handler({ ...event, id: 'sent twice' }, invocation())).resolves.toEqual({ mailed: true });
  expect(work).toHaveBeenCalledTimes(1);
});

it('carries out a direct invocation once, and gives the work the run and the context', async () => {
  const { runOnce, invocation } = once();
  const work = jest.fn(() => 'mailed');
  const handler = eventHandler({ key: (mail: Mail) => keyOf('mail', mail.id), runOnce }, work);
  const context = invocation();
  await expect(handler({ id: '7' }, context)).resolves.toBe('mailed');
  await expect(handler({ id: '7' }, context)).resolves.toBe('mailed');
  expect(work.mock.calls).toEqual([
    [{ id: '7' }, expect.objectContaining({ key: 'mail#7', attempt: 1 }), { record: { id: '7' }, context }],
  ]);
});

it('may be given an event of 6 MB', async () => {
  const work = jest.fn();
  const { handle } = mailer(work);
  const event = { id: '7', text: 'x'.repeat(6 * 1024 * 1024) };
  await handle(event);
  await handle(event);
  expect(work).toHaveBeenCalledTimes(1);
});

it('does nothing for an event without records', async () => {
  const work = jest.fn();
  await expect(thumbnails(work).handle()).resolves.toBeUndefined();
  expect(work).not.toHaveBeenCalled();
});

describe('a failure', () => {
  it('is thrown as it is, and the event is carried out when it comes again', async () => {
    const declined = new Error('declined');
    const work = jest
      .fn<(mail: Mail) => Promise<string>>()
      .mockRejectedValueOnce(declined)
      .mockResolvedValue('mailed');
    const { handle } = mailer(work);
    await expect(handle({ id: '7' })).rejects.toBe(declined);
    await expect(handle({ id: '7' })).resolves.toBe('mailed');
    expect(warned).not.toHaveBeenCalled();
  });

  it('of one record lets the others be done, which are not run again with the whole event', async () => {
    const declined = new Error('declined');
    let declines = true;
    const work = jest.fn(async ({ s3 }: S3EventRecord) => {
      if (s3.object.key === 'b.jpg' && declines) throw declined;
    });
    const { handle } = thumbnails(work, { concurrency: 1 });
    const records = [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')];
    await expect(handle(...records)).rejects.toBe(declined);
    declines = false;
    await expect(handle(...records)).resolves.toBeUndefined();
    expect(work.mock.calls.map(([{ s3 }]) => s3.object.key)).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'b.jpg']);
  });

  it('of several records is thrown as one, with each of them in the log', async () => {
    const { handle } = thumbnails(async ({ s3 }) => {
      throw new Error(s3.object.key);
    });
    const outcome = handle(photo('a.jpg'), photo('b.jpg'));
    await expect(outcome).rejects.toThrow(
      "Of the event's 2 records, several failed; the whole event comes again.",
    );
    await expect(outcome).rejects.toMatchObject({
      name: 'AggregateError',
      errors: [{ message: 'a.jpg' }, { message: 'b.jpg' }],
    });
    expect(warned.mock.calls.map(([message]) => message)).toEqual([
      'Record 1 comes again: Error.',
      'Record 2 comes again: Error.',
    ]);
  });

  it('is what the key throws, too', async () => {
    const work = jest.fn();
    const { handle } = mailer(work);
    await expect(handle({})).rejects.toThrow(InvalidKeyError);
    await expect(mailer(work, { key: () => '' }).handle({})).rejects.toThrow(InvalidKeyError);
    await expect(thumbnails(work, { key: () => '' }).handle(photo('a'), photo('b'))).rejects.toMatchObject({
      errors: [expect.any(InvalidKeyError), expect.any(InvalidKeyError)],
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('is that another call is at work on it, where it is not to be waited for', async () => {
    const { runOnce, handle } = mailer(() => 'mailed', { whenInProgress: 'throw' });
    void runOnce('mail#7', 60, () => new Promise(() => {}));
    await expect(handle({ id: '7' })).rejects.toThrow(StillInProgressError);
  });

  it('is that no time is left for it', async () => {
    const parts = once();
    const work = jest.fn(() => new Promise<void>((done) => parts.clock.after(6000, done)));
    const handler = eventHandler(
      { key: (r: S3EventRecord) => r.s3.object.key, runOnce: parts.runOnce, concurrency: 1 },
      work,
    );
    const outcome = handler(s3Event(photo('a'), photo('b'), photo('c')), parts.invocation(10_000));
    const told = expect(outcome).rejects.toThrow(
      /^2 records of the event were not started, because too little .* timeout/,
    );
    await parts.clock.advance(10_000);
    await told;
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('an event that another call is at work on', () => {
  it('waits for that call’s result', async () => {
    const { clock, runOnce, handle } = mailer(() => 'again', { whenInProgress: undefined } as never);
    const { open, opened } = gate();
    void runOnce('mail#7', 60, async () => {
      await opened;
      return 'mailed';
    });
    const outcome = handle({ id: '7' });
    await clock.advance(3000);
    open();
    await clock.advance(5000);
    await expect(outcome).resolves.toBe('mailed');
  });

  it('is carried out once that call has died, and its lock has ended', async () => {
    const { clock, runOnce, handle } = mailer(() => 'mailed');
    void runOnce('mail#7', 12, () => new Promise(() => {}));
    const outcome = handle({ id: '7' });
    await clock.advance(20_000);
    await expect(outcome).resolves.toBe('mailed');
  });
});

it('answers what the work did, whatever it does to the event', async () => {
  const work = (mail: object) => Object.assign(mail, { Records: [] }) && 'mailed';
  await expect(mailer(work).handle({ id: '7' })).resolves.toBe('mailed');
});

it('runs equal keys of an event once', async () => {
  const work = jest.fn(async (_: S3EventRecord) => idle());
  const { handle } = thumbnails(work);
  await handle(photo('a.jpg'), photo('a.jpg'));
  expect(work).toHaveBeenCalledTimes(1);
});

it('takes an event for done whose result could not be stored', async () => {
  const work = jest.fn(() => () => 'no function can be stored');
  const { handle } = mailer(work);
  await handle({ id: '7' });
  await expect(handle({ id: '7' })).resolves.toBeUndefined();
  expect(work).toHaveBeenCalledTimes(1);
});

describe('an event that is not for it', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /eventHandler was given .* it is no object\. Attach .* eventHandler to S3, SNS/],
    [null, /it is no object/],
    ['text', /it is no object/],
    [7, /it is no object/],
    [[{ id: '7' }], /it is no object/],
    [{ Records: null }, /it has no list of Records/],
    [{ Records: 'text' }, /it has no list of Records/],
    [{ Records: [{ id: '7' }] }, /record 1 is of no known source/],
    [{ Records: [sqsRecord('{}')] }, /record 1 is of aws:sqs\. Attach sqsHandler to queues/],
    [{ Records: [kinesisRecord('{}')] }, /record 1 is of aws:kinesis/],
    [{ Records: [dynamodbRecord('1')] }, /record 1 is of aws:dynamodb/],
    [{ Records: [photo('a'), snsRecord('b')] }, /record 1 is of aws:s3, but record 2 of aws:sns/],
    [{ eventSource: 'aws:kafka', records: { 'topic-0': [] } }, /it is a batch of aws:kafka/],
    [{ eventSource: 'aws:mq', messages: [] }, /it is a batch of aws:mq/],
  ])('is refused: %p', async (event, message) => {
    const work = jest.fn();
    const outcome = mailer(work).handle(event);
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(message);
    expect(work).not.toHaveBeenCalled();
  });

  it('is not one that has an eventSource of its own', async () => {
    await expect(mailer(() => 'mailed').handle({ id: '7', eventSource: 'shop' })).resolves.toBe('mailed');
    await expect(mailer(() => 'mailed').handle({ id: '7', eventSource: 'aws:s3' })).resolves.toBe('mailed');
  });
});

it.each([
  [{ parse: () => 1 }, /eventHandler has no option parse/],
  [{ onMalformed: 'drop' }, /eventHandler has no option onMalformed/],
  [{ key: undefined }, /eventHandler needs a key/],
])('refuses what is no option of its own: %p', (options, message) => {
  expect(() => eventHandler({ key: () => 'k', ...options } as never, () => {})).toThrow(message);
});
