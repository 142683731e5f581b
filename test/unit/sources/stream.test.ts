import { jest } from '@jest/globals';
import type { DynamoDBRecord, KinesisStreamRecord } from 'aws-lambda';
import { ConfigurationError } from '../../../layer/errors';
import { keyOf } from '../../../layer/key-of';
import type { Run } from '../../../layer/run';
import { type StreamOptions, streamHandler } from '../../../layer/sources/stream';
import type { ItemChange } from '../../../layer/sources/stream-record';
import { idle } from '../../../testing/virtual-clock';
import { sqsRecord } from '../../events/sqs';
import { dynamodbEvent, dynamodbRecord, kinesisEvent, kinesisRecord } from '../../events/streams';
import { gate, once } from './once';

interface Payment {
  id: string;
}

type Options = Partial<StreamOptions<Payment, KinesisStreamRecord>>;

/** `streamHandler` on a table of its own, with the work given. */
function stream(work: (payment: Payment) => unknown, options: Options = {}) {
  const parts = once();
  const key = (payment: Payment) => keyOf('book', payment.id);
  const handler = streamHandler({ key, runOnce: parts.runOnce, ...options }, work);
  return {
    ...parts,
    handler,
    /** Payments by id, each under the partition key that is its first letter; in answer, the id of the first to come again. */
    async handle(...ids: string[]) {
      const event = kinesisEvent(ids.map((id) => [{ id }, id.charAt(0)]));
      const { batchItemFailures } = await handler(event, parts.invocation());
      const numbers = event.Records.map(({ kinesis }) => kinesis.sequenceNumber);
      return batchItemFailures.map(({ itemIdentifier }) => ids[numbers.indexOf(itemIdentifier)]);
    },
  };
}

const idsOf = (work: jest.Mock<(payment: Payment) => unknown>) => work.mock.calls.map(([{ id }]) => id);
const declining = (...declined: string[]) =>
  jest.fn(async ({ id }: Payment) => {
    await idle();
    if (declined.includes(id)) throw new Error('declined');
  });

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());
const warnings = () => warned.mock.calls.map(([message]) => message);

describe('a batch of Kinesis', () => {
  it('is carried out, each record once, also when it comes again', async () => {
    const work = declining();
    const { handle, items } = stream(work);
    await expect(handle('a1', 'b1', 'a2')).resolves.toEqual([]);
    await expect(handle('a1', 'b1', 'a2')).resolves.toEqual([]);
    expect(idsOf(work)).toEqual(['a1', 'b1', 'a2']);
    expect([...items.keys()]).toEqual(['book#a1', 'book#b1', 'book#a2']);
    expect(warned).not.toHaveBeenCalled();
  });

  it('is answered at once where it is empty', async () => {
    await expect(stream(() => {}).handle()).resolves.toEqual([]);
  });

  it('gives the work its data as JSON, the run, the record and the context', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work);
    const event = kinesisEvent([[{ id: 'grüße' }, '1']]);
    const context = invocation();
    await handler(event, context);
    expect(work.mock.calls).toEqual([
      [
        { id: 'grüße' },
        expect.objectContaining({ key: 'book#grüße' }),
        { record: event.Records[0], context },
      ],
    ]);
  });

  it('keeps the order of each partition key, and runs partition keys side by side', async () => {
    const journal: string[] = [];
    const { handle } = stream(async ({ id }) => {
      journal.push(`${id} begins`);
      await idle();
      journal.push(`${id} ends`);
    });
    await handle('a1', 'a2', 'b1', 'a3');
    const ofA = journal.filter((line) => line.startsWith('a'));
    expect(ofA).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends']);
    expect(journal.indexOf('b1 begins')).toBeLessThan(journal.indexOf('a1 ends'));
  });

  it('stops at the first failure and answers it: what precedes it is done, what follows comes again', async () => {
    const work = declining('a2');
    const { handle } = stream(work, { concurrency: 2 });
    await expect(handle('a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'c1')).resolves.toEqual(['a2']);
    // The one beside the failure was under way already.
    expect(idsOf(work)).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(warnings().at(-1)).toMatch(/^3 records come again that were not started/);
  });

  it('answers the first of several failures, whichever comes first in time', async () => {
    const { open, opened } = gate();
    const work = jest.fn(async ({ id }: Payment) => {
      if (id === 'a1') await opened;
      if (id === 'c1') open();
      if (id !== 'b1') throw new Error('declined');
    });
    const { handle } = stream(work);
    await expect(handle('a1', 'b1', 'c1', 'b2')).resolves.toEqual(['a1']);
  });

  it('starts nothing that follows the first failure, also after a later one', async () => {
    const later = gate();
    const last = gate();
    const work = jest.fn(async ({ id }: Payment) => {
      if (id === 'b1') await later.opened;
      if (id === 'c1') await last.opened;
      if (id !== 'c1') throw new Error('declined');
    });
    const { handle } = stream(work);
    const outcome = handle('a1', 'c1', 'c2', 'b1');
    for (const { open } of [later, last]) {
      await idle();
      open();
    }
    await expect(outcome).resolves.toEqual(['a1']);
    expect(idsOf(work)).toEqual(['a1', 'c1', 'b1']);
  });

  it('does what precedes a failure, also where that comes to light earlier', async () => {
    const work = declining('z1');
    const { handle } = stream(work, { concurrency: 2 });
    await expect(handle('a1', 'a2', 'a3', 'z1', 'a4')).resolves.toEqual(['z1']);
    expect(idsOf(work)).toEqual(['a1', 'z1', 'a2', 'a3']);
  });

  it('is worked through from its beginning, however its partition keys are spread', async () => {
    const work = declining();
    const { handle } = stream(work, { concurrency: 1 });
    const batch = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2', 'd1', 'a4'];
    await expect(handle(...batch)).resolves.toEqual([]);
    expect(idsOf(work)).toEqual(batch);
  });

  it('does not run again what is done, when Lambda sends it again from the failure on', async () => {
    let declines = true;
    const work = jest.fn(async ({ id }: Payment) => {
      if (id === 'a1' && declines) throw new Error('declined');
    });
    const { handle } = stream(work);
    await expect(handle('a1', 'b1', 'c1')).resolves.toEqual(['a1']);
    declines = false;
    await expect(handle('a1', 'b1', 'c1')).resolves.toEqual([]);
    expect(idsOf(work).sort()).toEqual(['a1', 'a1', 'b1', 'c1']);
  });

  it('runs equal keys once', async () => {
    const work = declining();
    const { handler, invocation } = stream(work);
    const twins = kinesisEvent([
      [{ id: '1' }, 'a'],
      [{ id: '1' }, 'b'],
    ]);
    await expect(handler(twins, invocation())).resolves.toEqual({ batchItemFailures: [] });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('shares the time left: what cannot finish comes again', async () => {
    const parts = once();
    const work = jest.fn(() => new Promise<void>((done) => parts.clock.after(4000, done)));
    const handler = streamHandler(
      { key: (payment: Payment) => payment.id, runOnce: parts.runOnce, concurrency: 2 },
      work,
    );
    const event = kinesisEvent(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [{ id }, id]));
    const outcome = handler(event, parts.invocation(10_000));
    await parts.clock.advance(10_000);
    const itemIdentifier = event.Records[4]?.kinesis.sequenceNumber;
    await expect(outcome).resolves.toEqual({ batchItemFailures: [{ itemIdentifier }] });
    expect(work).toHaveBeenCalledTimes(4);
    expect(warnings()).toEqual([expect.stringMatching(/^2 records come again/)]);
  });

  it('waits for another call that is at work on a record, and for a dead one’s lock to end', async () => {
    const work = jest.fn();
    const { clock, runOnce, handle } = stream(work, { whenInProgress: undefined } as never);
    void runOnce('book#a1', 12, () => new Promise(() => {}));
    const outcome = handle('a1', 'b1');
    await clock.advance(20_000);
    await expect(outcome).resolves.toEqual([]);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('does not count what it waited as what a record takes', async () => {
    const work = jest.fn();
    const { clock, runOnce, handle } = stream(work, { concurrency: 1 });
    void runOnce('book#a1', 20, () => new Promise(() => {}));
    const outcome = handle('a1', 'b1');
    // Of 30 seconds, most are gone.
    await clock.advance(29_000);
    await expect(outcome).resolves.toEqual([]);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('answers a record that another call is at work on, where whenInProgress says so', async () => {
    const { runOnce, handle } = stream(() => {}, { whenInProgress: 'throw' });
    void runOnce('book#b1', 12, () => new Promise(() => {}));
    await expect(handle('a1', 'b1')).resolves.toEqual(['b1']);
  });

  it('may have 10,000 records', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work, { runOnce: async (_, __, work) => work({} as Run) });
    const event = kinesisEvent(Array.from({ length: 10_000 }, (_, i) => [{ id: `${i}` }, `${i % 700}`]));
    await expect(handler(event, invocation())).resolves.toEqual({ batchItemFailures: [] });
    expect(work).toHaveBeenCalledTimes(10_000);
  });

  it('may have a record of 6 MB', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work);
    const event = kinesisEvent([[{ id: '1', text: 'x'.repeat(6 * 1024 * 1024) }, 'a']]);
    await expect(handler(event, invocation())).resolves.toEqual({ batchItemFailures: [] });
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('a poison record', () => {
  const batch = () => [kinesisRecord('{', 'a', 1), kinesisRecord('{"id":"a2"}', 'a', 2)];
  const first = { batchItemFailures: [{ itemIdentifier: batch()[0]?.kinesis.sequenceNumber }] };

  it('holds up its partition key, until the event source mapping gives it up', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work);
    await expect(handler({ Records: batch() }, invocation())).resolves.toEqual(first);
    expect(work).not.toHaveBeenCalled();
  });

  it('is dropped where the caller says so', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work, { onMalformed: 'drop' });
    await expect(handler({ Records: batch() }, invocation())).resolves.toEqual({ batchItemFailures: [] });
    expect(work).toHaveBeenCalledTimes(1);
    expect(warnings()).toEqual([
      expect.stringMatching(/^Record 4959.* is dropped: it is malformed, SyntaxError\.$/),
    ]);
  });

  it('is dealt with by the caller’s function', async () => {
    const onMalformed = jest.fn();
    const { handler, invocation } = stream(() => {}, { onMalformed });
    const Records = batch();
    await expect(handler({ Records }, invocation())).resolves.toEqual({ batchItemFailures: [] });
    expect(onMalformed.mock.calls).toEqual([[Records[0], expect.any(SyntaxError)]]);
  });

  it.each([[undefined], [null]])('may have no data: %p', async (data) => {
    const record = kinesisRecord('');
    const { handler, invocation } = stream(() => {});
    const Records = [{ ...record, kinesis: { ...record.kinesis, data: data as never } }];
    await expect(handler({ Records }, invocation())).resolves.toEqual({
      batchItemFailures: [{ itemIdentifier: record.kinesis.sequenceNumber }],
    });
  });
});

describe('a record that the Kinesis Producer Library has aggregated', () => {
  const aggregated = () => kinesisRecord(Buffer.from('f3899ac20a0131', 'hex'));

  it('fails with how to mend it, and is never dropped', async () => {
    const { handler, invocation } = stream(() => {}, { onMalformed: 'drop' });
    const record = aggregated();
    await expect(handler({ Records: [record] }, invocation())).resolves.toEqual({
      batchItemFailures: [{ itemIdentifier: record.kinesis.sequenceNumber }],
    });
    expect(warnings()).toEqual([expect.stringMatching(/Turn AggregationEnabled off at the producer/)]);
  });

  it('is the caller’s where parse reads it', async () => {
    const work = jest.fn();
    const { handler, invocation } = stream(work, { parse: () => ({ id: '1' }) });
    await expect(handler({ Records: [aggregated()] }, invocation())).resolves.toEqual({
      batchItemFailures: [],
    });
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('a batch of DynamoDB Streams', () => {
  function table(work: (change: ItemChange) => unknown) {
    const parts = once();
    const handler = streamHandler(
      {
        key: (_: ItemChange, record: DynamoDBRecord) => keyOf('project', record.eventID ?? ''),
        runOnce: parts.runOnce,
      },
      work,
    );
    return { ...parts, handle: (...Records: DynamoDBRecord[]) => handler({ Records }, parts.invocation()) };
  }

  it('gives the work the change in plain values', async () => {
    const work = jest.fn();
    const { handle } = table(work);
    const change = {
      Keys: { Id: { N: '101' }, Sort: { B: 'AQI=' } },
      NewImage: {
        Id: { N: '101' },
        Numbers: {
          L: [{ N: '-1.5' }, { N: '9007199254740991' }, { N: '12345678901234567890' }, { N: '1e40' }],
        },
        Nested: { M: { list: { L: [{ S: '' }, { NULL: true }, { BOOL: false }] } } },
        Sets: { L: [{ SS: ['a'] }, { NS: ['1', '-90071992547409929'] }, { BS: ['AQI='] }] },
      },
    };
    const deleted = { NewImage: undefined, OldImage: { Id: { S: '2' } } };
    await handle(dynamodbRecord('-', 1, change), dynamodbRecord('2', 2, deleted));
    expect(work.mock.calls.map(([payload]) => payload)).toEqual([
      {
        Keys: { Id: 101, Sort: Buffer.from([1, 2]) },
        NewImage: {
          Id: 101,
          Numbers: [-1.5, 9007199254740991, 12345678901234567890n, 1e40],
          Nested: { list: ['', null, false] },
          Sets: [new Set(['a']), new Set([1, -90071992547409929n]), new Set([Buffer.from([1, 2])])],
        },
        OldImage: undefined,
      },
      { Keys: { Id: '2' }, NewImage: undefined, OldImage: { Id: '2' } },
    ]);
  });

  it('keeps the order of an item’s changes, in whatever order its keys are written', async () => {
    const journal: string[] = [];
    const { handle } = table(async ({ NewImage }) => {
      journal.push(`${NewImage?.n} begins`);
      await idle();
      journal.push(`${NewImage?.n} ends`);
    });
    const [a, b] = [{ S: 'a' }, { N: '1' }];
    const image = (n: string) => ({ NewImage: { n: { S: n } } });
    await handle(
      dynamodbRecord('', 1, { Keys: { id: a, sort: b }, ...image('1') }),
      dynamodbRecord('', 2, { Keys: { sort: b, id: a }, ...image('2') }),
      dynamodbRecord('', 3, { Keys: { id: a, sort: { N: '2' } }, ...image('other') }),
    );
    expect(journal.filter((line) => !line.startsWith('other'))).toEqual([
      '1 begins',
      '1 ends',
      '2 begins',
      '2 ends',
    ]);
    expect(journal.indexOf('other begins')).toBeLessThan(journal.indexOf('1 ends'));
  });

  it('stops at the first failure and answers its sequence number', async () => {
    const { handle } = table(({ Keys }) => {
      if (Keys.Id === 'b') throw new Error('declined');
    });
    await expect(handle(...dynamodbEvent(['a', 'b', 'c']).Records)).resolves.toEqual({
      batchItemFailures: [{ itemIdentifier: '4421584500000000017450439002' }],
    });
  });

  it('has changes without keys or images, where a test or a filter left them out', async () => {
    const work = jest.fn();
    const { handle } = table(work);
    await handle({ ...dynamodbRecord('1'), dynamodb: { SequenceNumber: '1' } });
    expect(work.mock.calls[0]?.[0]).toEqual({ Keys: {}, NewImage: undefined, OldImage: undefined });
  });
});

describe('an event of something else', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /streamHandler was given .* it has no list of Records/],
    ['text', /no list of Records/],
    [{ Records: [sqsRecord('{}')] }, /record 1 is of aws:sqs\. Attach .* streamHandler to Kinesis/],
    [
      { Records: [kinesisRecord('{}'), dynamodbRecord('1')] },
      /record 1 is of aws:kinesis, but record 2 of aws:dynamodb/,
    ],
    [{ Records: [{ eventSource: 'aws:kinesis' }] }, /record 1 has no kinesis\.sequenceNumber/],
    [{ Records: [{ eventSource: 'aws:kinesis', kinesis: null }] }, /record 1 has no kinesis\.sequenceNumber/],
    [{ Records: [{ eventSource: 'aws:dynamodb' }] }, /record 1 has no dynamodb\.SequenceNumber/],
    [
      { Records: [kinesisRecord('{}')], window: { start: '2020-07-30T17:00:00Z' } },
      /tumbling window, whose state it does not carry/,
    ],
  ])('is refused: %p', async (event, message) => {
    const work = jest.fn();
    const { handler, invocation } = stream(work);
    const outcome = handler(event as never, invocation());
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(message);
    expect(work).not.toHaveBeenCalled();
  });
});

it('refuses what is no option of its own', () => {
  const options = { key: () => 'k', changeVisibility: () => {} };
  expect(() => streamHandler(options as never, () => {})).toThrow(
    /streamHandler has no option changeVisibility/,
  );
});
