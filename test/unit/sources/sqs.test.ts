import { jest } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { ConfigurationError, InvalidKeyError } from '../../../layer/errors';
import { keyOf } from '../../../layer/key-of';
import { type SqsOptions, sqsHandler } from '../../../layer/sources/sqs';
import type { Table } from '../../../layer/table';
import { idle } from '../../../testing/virtual-clock';
import { fifoRecord, sqsEvent, sqsRecord } from '../../events/sqs';
import { kinesisRecord } from '../../events/streams';
import { gate, once } from './once';

interface Order {
  id: string;
  amount?: number;
}

type Options = Partial<SqsOptions<Order, SQSRecord>>;

/** `sqsHandler` on a table of its own, with the work given. */
function queue(work: (order: Order) => unknown, options: Options = {}, faults: Partial<Table> = {}) {
  const parts = once(faults);
  const key = (order: Order) => keyOf('charge', order.id);
  const handler = sqsHandler({ key, runOnce: parts.runOnce, ...options }, work);
  return {
    ...parts,
    handler,
    handle: (...Records: SQSRecord[]) => handler({ Records }, parts.invocation()),
  };
}

const order = (id: string, messageId = `m-${id}`) => sqsRecord(JSON.stringify({ id }), { messageId });
const inGroup = (group: string, id: string, messageId = `m-${id}`) =>
  fifoRecord(JSON.stringify({ id }), group, { messageId });
const failed = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});
const idsOf = (work: jest.Mock<(order: Order) => unknown>) => work.mock.calls.map(([{ id }]) => id);

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());
const warnings = () =>
  warned.mock.calls.map(([message, options]) => ({ message, ...(options as unknown as object) }));

describe('a batch', () => {
  it('is carried out, each message once, also when it comes again', async () => {
    const work = jest.fn(async (_: Order) => 'charged');
    const { handle, items } = queue(work);
    await expect(handle(order('1'), order('2'))).resolves.toEqual(failed());
    await expect(handle(order('2'), order('1'), order('3'))).resolves.toEqual(failed());
    expect(idsOf(work)).toEqual(['1', '2', '3']);
    expect([...items.keys()]).toEqual(['charge#1', 'charge#2', 'charge#3']);
    expect(warned).not.toHaveBeenCalled();
  });

  it('R22: is answered at once where it is empty', async () => {
    const work = jest.fn();
    await expect(queue(work).handle()).resolves.toEqual(failed());
    expect(work).not.toHaveBeenCalled();
  });

  it('gives the work its payload, the run, the record and the context', async () => {
    const { runOnce, invocation } = once();
    const work = jest.fn();
    const handler = sqsHandler(
      { runOnce, key: (body: Order, record) => keyOf(record.awsRegion, body.id) },
      work,
    );
    const event = sqsEvent([{ id: '1' }]);
    const context = invocation();
    await handler(event, context);
    expect(work).toHaveBeenCalledTimes(1);
    const [payload, run, delivery] = work.mock.calls[0] as unknown[];
    expect(payload).toEqual({ id: '1' });
    expect(run).toMatchObject({ key: 'us-east-2#1', attempt: 1 });
    expect(delivery).toEqual({ record: event.Records[0], context });
  });

  it('is locked for the rest of the invocation, or as long as lockSeconds says', async () => {
    const locks = async (options: Options) => {
      const { open, opened } = gate();
      const { clock, items, handle } = queue(() => opened, options);
      const outcome = handle(order('1'));
      await idle();
      const seconds = Number(items.get('charge#1')?.expiresAt) - clock.now() / 1000;
      open();
      await outcome;
      return seconds;
    };
    expect(await locks({})).toBe(30);
    expect(await locks({ lockSeconds: 7 })).toBe(7);
  });

  it('keeps results for as long as keepForSeconds says', async () => {
    const { clock, items, handle } = queue(() => 'charged', { keepForSeconds: 600 });
    await handle(order('1'));
    expect(items.get('charge#1')?.expiresAt).toBe(clock.now() / 1000 + 600);
  });

  it('names the messages whose work fails, and runs those only when they come again', async () => {
    const work = jest.fn((o: Order) => {
      if (o.id === '2' && work.mock.calls.length <= 3) throw new Error('declined');
    });
    const { handle } = queue(work);
    await expect(handle(order('1'), order('2'), order('3'))).resolves.toEqual(failed('m-2'));
    await expect(handle(order('1'), order('2'), order('3'))).resolves.toEqual(failed());
    expect(idsOf(work)).toEqual(['1', '2', '3', '2']);
  });

  it('names a message once, also where it is in the batch twice', async () => {
    const { handle } = queue(() => Promise.reject(new Error('declined')));
    const message = order('1');
    await expect(handle(message, message)).resolves.toEqual(failed('m-1'));
  });

  it('is named whole while the table is out', async () => {
    const out = async () => {
      throw Object.assign(new Error('out'), { name: 'InternalServerError' });
    };
    const work = jest.fn();
    const { handle } = queue(work, {}, { update: out });
    await expect(handle(order('1'), order('2'))).resolves.toEqual(failed('m-1', 'm-2'));
    expect(work).not.toHaveBeenCalled();
    expect(warnings()[0]?.message).toMatch(
      /^Record m-1 comes again: Could not claim .* The work was not run\.$/,
    );
  });

  it('R1: keeps to its identifiers whatever the work does to the record', async () => {
    const { runOnce, invocation } = once();
    const handler = sqsHandler({ runOnce, key: (o: Order) => o.id }, (_, __, { record }) => {
      record.messageId = 'another';
      throw new Error('failed');
    });
    await expect(handler({ Records: [order('1')] }, invocation())).resolves.toEqual(failed('m-1'));
  });

  it.each([
    ['10 by default', {}, 10],
    ['as many as concurrency says', { concurrency: 3 }, 3],
    ['one', { concurrency: 1 }, 1],
  ])('has %s under way at a time', async (_, options, most) => {
    let running = 0;
    const seen: number[] = [];
    const { handle } = queue(async () => {
      seen.push(++running);
      await idle();
      running--;
    }, options);
    await handle(...Array.from({ length: 25 }, (_, i) => order(`${i}`)));
    expect(seen).toHaveLength(25);
    expect(Math.max(...seen)).toBe(most);
  });
});

describe('R18: equal keys in a batch', () => {
  it('run once, and all of their messages are done', async () => {
    const work = jest.fn(async (_: Order) => idle());
    const { handle } = queue(work);
    const twins = ['a', 'b', 'c'].map((messageId) => order('1', messageId));
    await expect(handle(...twins, order('2'))).resolves.toEqual(failed());
    expect(idsOf(work)).toEqual(['1', '2']);
  });

  it('fail together, of one run', async () => {
    const work = jest.fn(async (_: Order) => {
      await idle();
      throw new Error('declined');
    });
    const { handle } = queue(work);
    const twins = ['a', 'b', 'c'].map((messageId) => order('1', messageId));
    await expect(handle(...twins)).resolves.toEqual(failed('a', 'b', 'c'));
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('R8: for different requests are refused by fingerprint, and the others of the right one are done', async () => {
    const work = jest.fn(() => 'charged');
    const { handle } = queue(work, { fingerprint: ({ amount }) => ({ amount: amount ?? null }) });
    const of = (amount: number, messageId: string) =>
      sqsRecord(JSON.stringify({ id: '1', amount }), { messageId });
    await handle(of(5, 'a'));
    await expect(handle(of(6, 'b'), of(5, 'c'), of(6, 'd'))).resolves.toEqual(failed('b', 'd'));
    expect(work).toHaveBeenCalledTimes(1);
    expect(warnings().map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Record b comes again: The key has been used for another request/),
      expect.stringMatching(/^Record d comes again: The key has been used for another request/),
    ]);
  });

  it('in two message groups run once, too', async () => {
    const work = jest.fn(async (_: Order) => idle());
    const { handle } = queue(work);
    await expect(handle(inGroup('a', '1', 'm-a'), inGroup('b', '1', 'm-b'))).resolves.toEqual(failed());
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('a message that another call is at work on', () => {
  const busy = (options: Options = {}) => {
    const parts = queue(() => 'charged', options);
    void parts.runOnce('charge#1', 12, () => new Promise(() => {}));
    return parts;
  };

  it('is returned', async () => {
    const { handle } = busy();
    await expect(handle(order('1'), order('2'))).resolves.toEqual(failed('m-1'));
    expect(warnings()).toEqual([
      {
        message: expect.stringMatching(
          /^Record m-1 comes again: Another call with this key is still in progress/,
        ),
        type: 'IdempotencyWarning',
        code: 'IDEMPOTENCY_RECORD_FAILED',
      },
    ]);
  });

  it('is made to come again when the other call’s lock has ended', async () => {
    const changeVisibility = jest.fn(async () => {});
    const { clock, handle } = busy({ changeVisibility });
    const twin = order('1', 'twin');
    const one = order('1');
    await expect(handle(one, order('2'), twin)).resolves.toEqual(failed('m-1', 'twin'));
    // The lock's twelve seconds, and one for clocks that differ.
    expect(changeVisibility.mock.calls).toEqual([
      [one, 13],
      [twin, 13],
    ]);
    await clock.advance(13_000);
    await expect(handle(one)).resolves.toEqual(failed());
    expect(changeVisibility).toHaveBeenCalledTimes(2);
  });

  it('is hidden for as long as SQS allows where the lock lasts longer', async () => {
    const changeVisibility = jest.fn(async () => {});
    const { runOnce, handle } = queue(() => 'charged', { changeVisibility });
    void runOnce('charge#1', 24 * 3600, () => new Promise(() => {}));
    await handle(order('1'));
    expect(changeVisibility.mock.calls).toEqual([[expect.anything(), 42_300]]);
  });

  it('is returned also where its visibility cannot be changed', async () => {
    const denied = Object.assign(new Error('arn:…'), { name: 'AccessDenied' });
    const { handle } = busy({ changeVisibility: () => Promise.reject(denied) });
    await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
    expect(warnings()[1]).toEqual({
      message:
        "Record m-1 comes again after the queue's visibility timeout, because changeVisibility threw AccessDenied.",
      type: 'IdempotencyWarning',
      code: 'IDEMPOTENCY_VISIBILITY_NOT_CHANGED',
    });
  });

  it('is waited for where whenInProgress says so', async () => {
    const work = jest.fn(() => 'charged');
    const { clock, runOnce, handle } = queue(work, { whenInProgress: 'wait' });
    const { open, opened } = gate();
    void runOnce('charge#1', 12, () => opened);
    const outcome = handle(order('1'));
    await clock.advance(1000);
    open();
    await clock.advance(5000);
    await expect(outcome).resolves.toEqual(failed());
    expect(work).not.toHaveBeenCalled();
  });

  it('only: the visibility of what fails is left alone', async () => {
    const changeVisibility = jest.fn();
    const { handle } = queue(() => Promise.reject(new Error('declined')), { changeVisibility });
    await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
    expect(changeVisibility).not.toHaveBeenCalled();
  });
});

describe('a FIFO queue', () => {
  it('keeps the order of each message group, and runs groups side by side', async () => {
    const journal: string[] = [];
    const { handle } = queue(async ({ id }) => {
      journal.push(`${id} begins`);
      await idle();
      journal.push(`${id} ends`);
    });
    await handle(inGroup('a', 'a1'), inGroup('a', 'a2'), inGroup('b', 'b1'), inGroup('a', 'a3'));
    const of = (group: string) => journal.filter((line) => line.startsWith(group));
    expect(of('a')).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends']);
    expect(journal.indexOf('b1 begins')).toBeLessThan(journal.indexOf('a1 ends'));
  });

  it('returns what follows a failure in its group, unprocessed', async () => {
    const work = jest.fn(({ id }: Order) => {
      if (id === 'a2') throw new Error('declined');
    });
    const { handle } = queue(work);
    const batch = ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4'].map((id) => inGroup(id.charAt(0), id));
    await expect(handle(...batch)).resolves.toEqual(failed('m-a2', 'm-a3', 'm-a4'));
    expect(idsOf(work).sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'b3']);
    expect(warnings().at(-1)).toEqual({
      message: expect.stringMatching(/^2 records come again that were not started/),
      type: 'IdempotencyWarning',
      code: 'IDEMPOTENCY_RECORDS_NOT_STARTED',
    });
  });

  it('goes on in a group after a malformed message that was dropped', async () => {
    const work = jest.fn();
    const { handle } = queue(work, { onMalformed: 'drop' });
    await expect(handle(fifoRecord('{', 'a', { messageId: 'm' }), inGroup('a', '2'))).resolves.toEqual(
      failed(),
    );
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is one group where its messages name none', async () => {
    const work = jest.fn(() => Promise.reject(new Error('declined')));
    const { handle } = queue(work);
    const groupless = ['1', '2'].map((id) => ({ ...inGroup('', id), attributes: null as never }));
    await expect(handle(...groupless)).resolves.toEqual(failed('m-1', 'm-2'));
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is told by its name: the groups of a standard queue are for fairness and have no order', async () => {
    const work = jest.fn(({ id }: Order) => {
      if (id === '1') throw new Error('declined');
    });
    const { handle } = queue(work);
    const { eventSourceARN } = order('1');
    const fair = ['1', '2'].map((id) => ({ ...inGroup('a', id), eventSourceARN }));
    await expect(handle(...fair)).resolves.toEqual(failed('m-1'));
  });
});

describe('the time left', () => {
  it('is for what can finish, if it takes as long as the longest message so far: the rest is returned', async () => {
    const takes: Record<string, number> = { 1: 10_000, 2: 9000, 3: 2000, 4: 1, 5: 1 };
    const parts = once();
    const work = jest.fn(
      ({ id }: Order) => new Promise<void>((done) => parts.clock.after(takes[id] ?? 0, done)),
    );
    const handler = sqsHandler({ key: (o: Order) => o.id, runOnce: parts.runOnce, concurrency: 1 }, work);
    const Records = ['1', '2', '3', '4', '5'].map((id) => order(id));
    const outcome = handler({ Records }, parts.invocation(30_000));
    await parts.clock.advance(30_000);
    // Nine seconds are left after the third, and the first took ten.
    await expect(outcome).resolves.toEqual(failed('m-4', 'm-5'));
    expect(work).toHaveBeenCalledTimes(3);
    expect(warnings()).toEqual([
      {
        message: expect.stringMatching(
          /^2 records come again that were not started: .* too little time is left/,
        ),
        type: 'IdempotencyWarning',
        code: 'IDEMPOTENCY_RECORDS_NOT_STARTED',
      },
    ]);
  });

  it.each([
    [500, true],
    [499, false],
    [0, false],
    [-1, false],
    [Number.NaN, false],
  ])('of %p ms is enough to begin: %p', async (milliseconds, begins) => {
    const work = jest.fn();
    const { handler, invocation } = queue(work);
    const outcome = await handler({ Records: [order('1')] }, invocation(milliseconds));
    expect(outcome).toEqual(begins ? failed() : failed('m-1'));
    expect(work).toHaveBeenCalledTimes(begins ? 1 : 0);
  });

  it('that a failed message took counts, too', async () => {
    const parts = once();
    const work = jest.fn(async () => {
      await new Promise<void>((done) => parts.clock.after(6000, done));
      throw new Error('declined');
    });
    const handler = sqsHandler({ key: (o: Order) => o.id, runOnce: parts.runOnce, concurrency: 1 }, work);
    const outcome = handler({ Records: [order('1'), order('2')] }, parts.invocation(12_000));
    await parts.clock.advance(12_000);
    await expect(outcome).resolves.toEqual(failed('m-1', 'm-2'));
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('R22: a malformed message', () => {
  const secret = 'not JSON: 4111111111111111';
  const malformed: [string, SQSRecord, Options][] = [
    ['whose body is no JSON', sqsRecord(secret, { messageId: 'bad' }), {}],
    ['without a body', sqsRecord(undefined as never, { messageId: 'bad' }), {}],
    ['whose body is null', sqsRecord('null', { messageId: 'bad' }), {}],
    ['whose key has a part that is missing', sqsRecord('{}', { messageId: 'bad' }), {}],
    ['whose key is none', sqsRecord('{}', { messageId: 'bad' }), { key: () => undefined as never }],
    ['whose key is too long', order('1', 'bad'), { key: () => 'k'.repeat(3000) }],
    [
      'whose fingerprint cannot be made',
      order('1', 'bad'),
      {
        fingerprint: () => {
          throw new TypeError('no amount');
        },
      },
    ],
    [
      'that the caller’s parse refuses',
      order('1', 'bad'),
      {
        parse: () => {
          throw new RangeError(secret);
        },
      },
    ],
  ];

  describe.each(malformed)('%s', (_, record, options) => {
    it('is returned, and its payload stays out of the log', async () => {
      const work = jest.fn();
      const { handle } = queue(work, options);
      await expect(handle(record)).resolves.toEqual(failed('bad'));
      expect(work).not.toHaveBeenCalled();
      expect(warnings()).toEqual([
        {
          message: expect.stringMatching(
            /^Record bad comes again: it is malformed, .* Read it by parse, or say by onMalformed/,
          ),
          type: 'IdempotencyWarning',
          code: 'IDEMPOTENCY_RECORD_FAILED',
        },
      ]);
      expect(JSON.stringify(warnings())).not.toContain('4111');
    });

    it('is dropped where the caller says so', async () => {
      const work = jest.fn();
      const { handle } = queue(work, { ...options, onMalformed: 'drop' });
      await expect(handle(record)).resolves.toEqual(failed());
      expect(work).not.toHaveBeenCalled();
      expect(warnings()).toEqual([
        {
          message: expect.stringMatching(/^Record bad is dropped: it is malformed, /),
          type: 'IdempotencyWarning',
          code: 'IDEMPOTENCY_RECORD_DROPPED',
        },
      ]);
      expect(JSON.stringify(warnings())).not.toContain('4111');
    });

    it('is dealt with by the caller’s function', async () => {
      const onMalformed = jest.fn(async () => {});
      const { handle } = queue(() => {}, { ...options, onMalformed });
      await expect(handle(record)).resolves.toEqual(failed());
      expect(onMalformed.mock.calls).toEqual([[record, expect.any(Error)]]);
      expect(warned).not.toHaveBeenCalled();
    });
  });

  it('fails where the caller’s function does', async () => {
    const { handle } = queue(() => {}, {
      onMalformed: () => {
        throw new Error('no room');
      },
    });
    await expect(handle(sqsRecord('{', { messageId: 'bad' }), order('1'))).resolves.toEqual(failed('bad'));
    expect(warnings()[0]).toMatchObject({
      message: 'Record bad comes again: Error.',
      detail: expect.stringMatching(/^Error: no room\n/),
    });
  });

  it('is none whose work throws, even an InvalidKeyError of a call within it', async () => {
    const onMalformed = jest.fn();
    const twins = [order('1', 'a'), order('1', 'b')];
    const { handle } = queue(
      () => {
        throw new InvalidKeyError('of the work');
      },
      { onMalformed },
    );
    await expect(handle(...twins)).resolves.toEqual(failed('a', 'b'));
    expect(onMalformed).not.toHaveBeenCalled();
  });

  it.each<[string, Options]>([
    ['parse', { parse: () => Promise.reject(new Error('no network')) as never }],
    ['key', { key: async () => 'k' } as never],
  ])('is none where %s is asynchronous, which is a mistake of the handler', async (name, options) => {
    const work = jest.fn();
    const { handle } = queue(work, { ...options, onMalformed: 'drop' });
    await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
    expect(warnings()[0]?.message).toMatch(new RegExp(`^Record m-1 comes again: ${name} returned a promise`));
    expect(work).not.toHaveBeenCalled();
  });

  it('is none where the handler is set up wrongly', async () => {
    const { handle } = queue(() => {}, {
      onMalformed: 'drop',
      key: () => {
        throw new ConfigurationError('no table');
      },
    });
    await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
  });
});

describe('a body', () => {
  it('is read as the caller’s parse says, for instance as plain text', async () => {
    const work = jest.fn();
    const { runOnce, invocation } = once();
    const handler = sqsHandler(
      { runOnce, parse: ({ body }) => body, key: (text) => keyOf('note', text) },
      work,
    );
    await handler({ Records: [sqsRecord('4 o’clock')] }, invocation());
    expect(work.mock.calls[0]?.[0]).toBe('4 o’clock');
  });

  it('may be base64, which parse then decodes', async () => {
    const work = jest.fn();
    const { handle } = queue(work, {
      parse: ({ body }) => JSON.parse(Buffer.from(body, 'base64').toString()) as Order,
    });
    await handle(sqsRecord(Buffer.from('{"id":"1"}').toString('base64')));
    expect(work).toHaveBeenCalledWith({ id: '1' }, expect.anything(), expect.anything());
  });

  it('may take 6 MB', async () => {
    const work = jest.fn((_: Order) => {});
    const { handle } = queue(work);
    const big = sqsRecord(JSON.stringify({ id: '1', text: 'x'.repeat(6 * 1024 * 1024) }));
    await expect(handle(big, big)).resolves.toEqual(failed());
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('what is written to the log', () => {
  it('is the stack of what the work throws, as Lambda would write it', async () => {
    const { handle } = queue(() => {
      throw new RangeError('declined');
    });
    await handle(order('1'));
    expect(warnings()).toEqual([
      {
        message: 'Record m-1 comes again: RangeError.',
        type: 'IdempotencyWarning',
        code: 'IDEMPOTENCY_RECORD_FAILED',
        detail: expect.stringMatching(/^RangeError: declined\n {4}at /),
      },
    ]);
  });

  it.each([[null], [undefined], ['4111111111111111'], [{ card: '4111111111111111' }]])(
    'is only the type of what is no Error: %p',
    async (thrown) => {
      const { handle } = queue(() => Promise.reject(thrown));
      await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
      expect(warnings()).toEqual([
        {
          message: `Record m-1 comes again: what was thrown is of type ${typeof thrown}.`,
          type: 'IdempotencyWarning',
          code: 'IDEMPOTENCY_RECORD_FAILED',
        },
      ]);
    },
  );
});

it('takes a message for done whose result could not be stored: nobody waits for it here', async () => {
  const work = jest.fn(() => () => 'no function can be stored');
  const { handle } = queue(work);
  await expect(handle(order('1'))).resolves.toEqual(failed());
  await expect(handle(order('1'))).resolves.toEqual(failed());
  expect(work).toHaveBeenCalledTimes(1);
});

describe('an event of something else', () => {
  const sent = (...Records: unknown[]) => ({ Records }) as never;
  it.each<[unknown, RegExp]>([
    [
      undefined,
      /sqsHandler was given .* it has no list of Records\. Attach sqsHandler to queues.* nothing was run/,
    ],
    [null, /no list of Records/],
    ['text', /no list of Records/],
    [{}, /no list of Records/],
    [{ Records: null }, /no list of Records/],
    [{ Records: { 0: order('1') } }, /no list of Records/],
    [sent(null), /record 1 is of no known source/],
    [sent('text'), /record 1 is of no known source/],
    [sent({}), /record 1 is of no known source/],
    [sent({ eventSource: 'card 4111111111111111' }), /record 1 is of no known source/],
    [sent(kinesisRecord('{}')), /record 1 is of aws:kinesis/],
    [sent({ EventSource: 'aws:sns' }), /record 1 is of aws:sns/],
    [sent(order('1'), kinesisRecord('{}')), /record 1 is of aws:sqs, but record 2 of aws:kinesis/],
    [sent(kinesisRecord('{}'), order('1')), /record 1 is of aws:kinesis/],
    [sent(order('1'), { eventSource: 'aws:sqs', body: '{}' }), /record 2 has no messageId/],
    [sent({ ...order('1'), messageId: '' }), /record 1 has no messageId/],
  ])('is refused: %p', async (event, message) => {
    const work = jest.fn();
    const { handler, invocation } = queue(work);
    const outcome = handler(event as never, invocation());
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.not.toThrow(/4111/);
    expect(work).not.toHaveBeenCalled();
  });

  it.each([[undefined], [null], [{}]])('is refused without Lambda’s context: %p', async (context) => {
    const work = jest.fn();
    const { handler } = queue(work);
    const outcome = handler({ Records: [order('1')] }, context as never);
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(/sqsHandler was given a context without getRemainingTimeInMillis/);
    expect(work).not.toHaveBeenCalled();
  });
});

describe('the options', () => {
  const key = () => 'k';
  it.each<[unknown, unknown, RegExp]>([
    [undefined, key, /sqsHandler needs a key/],
    [null, key, /sqsHandler needs a key/],
    [{}, key, /sqsHandler needs a key/],
    [{ key: 'k' }, key, /sqsHandler needs a key/],
    [{ key }, undefined, /sqsHandler was given a wrong work\. Pass \(order, run\) =>/],
    [{ key, fingerprint: 'f' }, key, /a wrong fingerprint/],
    [{ key, runOnce: {} }, key, /a wrong runOnce/],
    [{ key, concurrency: 0 }, key, /a wrong concurrency\. Pass a whole number of at least 1/],
    [{ key, concurrency: 1.5 }, key, /a wrong concurrency/],
    [{ key, concurrency: Number.POSITIVE_INFINITY }, key, /a wrong concurrency/],
    [{ key, concurrency: '10' }, key, /a wrong concurrency/],
    [{ key, parse: 'json' }, key, /a wrong parse/],
    [{ key, onMalformed: 'ignore' }, key, /a wrong onMalformed\. Pass 'fail', 'drop'/],
    [{ key, onMalformed: null }, key, /a wrong onMalformed/],
    [{ key, changeVisibility: {} }, key, /a wrong changeVisibility/],
    [{ key, lockSecond: 30 }, key, /sqsHandler has no option lockSecond\. Its options are key, fingerprint/],
    [{ key, rememberError: () => true }, key, /sqsHandler has no option rememberError/],
  ])('%p are refused', (options, work, message) => {
    const make = () => sqsHandler(options as never, work as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  it('leave runOnce to the environment', async () => {
    delete process.env.IDEMPOTENCY_TABLE;
    const work = jest.fn();
    const { handle } = queue(work, { runOnce: undefined } as never);
    await expect(handle(order('1'))).resolves.toEqual(failed('m-1'));
    expect(warnings()[0]?.message).toMatch(
      /^Record m-1 comes again: No table is named\. Set IDEMPOTENCY_TABLE/,
    );
    expect(work).not.toHaveBeenCalled();
  });

  it('may be left out by undefined', async () => {
    const { handle } = queue(() => {}, { onMalformed: undefined, concurrency: undefined } as never);
    await expect(handle(order('1'))).resolves.toEqual(failed());
  });
});
