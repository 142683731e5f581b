import { jest } from '@jest/globals';
import type { KinesisStreamRecord, SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import { keyOf } from '../../../layer/key-of';
import { sqsHandler } from '../../../layer/sources/sqs';
import { streamHandler } from '../../../layer/sources/stream';
import { fifoRecord, sqsRecord } from '../../events/sqs';
import { kinesisRecord } from '../../events/streams';
import { once } from './once';

// For any batch and any set of failures, the response names exactly the records that must come again: those whose
// operation is not done, and, where an order counts, those that follow one.

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

/** What becomes of an operation when it is tried. */
type Fate = 'done' | 'throws' | 'malformed' | 'busy' | 'unrecorded';

interface Item {
  operation: number;
  lane: string;
}

interface Batch {
  items: Item[];
  /** By operation. */
  fates: Fate[];
  /** How long each operation takes, in milliseconds. */
  takes: number[];
  concurrency: number;
}

const OPERATIONS = 6;

const perOperation = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(arbitrary, { minLength: OPERATIONS, maxLength: OPERATIONS });

const batches: fc.Arbitrary<Batch> = fc.record({
  items: fc.array(fc.record({ operation: fc.nat(OPERATIONS - 1), lane: fc.constantFrom('a', 'b', 'c') }), {
    maxLength: 14,
  }),
  fates: perOperation(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant<Fate>('done') },
      { weight: 3, arbitrary: fc.constantFrom<Fate>('throws', 'malformed', 'busy', 'unrecorded') },
    ),
  ),
  takes: perOperation(fc.nat(4000)),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

/** A source's handler, and how its response names positions in a batch. */
interface Adapter {
  record(item: Item, position: number): SQSRecord | KinesisStreamRecord;
  handler: typeof sqsHandler;
  idOf(record: never): string;
}

const bodyOf = ({ operation }: Item) => JSON.stringify({ operation });

const standard: Adapter = {
  record: (item, position) => sqsRecord(bodyOf(item), { messageId: `m${position}` }),
  handler: sqsHandler,
  idOf: ({ messageId }: SQSRecord) => messageId,
};

const fifo: Adapter = {
  ...standard,
  record: (item, position) => fifoRecord(bodyOf(item), item.lane, { messageId: `m${position}` }),
};

const kinesis: Adapter = {
  record: (item, position) => kinesisRecord(bodyOf(item), item.lane, position),
  // Its options are among those of the queue's handler, and its response is of the same shape.
  handler: streamHandler as never,
  idOf: ({ kinesis: { sequenceNumber } }: KinesisStreamRecord) => sequenceNumber,
};

/** A function behind that source, on a table of its own. */
function lambda({ record, handler, idOf }: Adapter, { items, fates, takes, concurrency }: Batch) {
  let now = fates;
  const done: number[] = [];
  const parts = once({
    async update(input) {
      const operation = Number(String(input.Key.pk).split('#')[1]);
      if (now[operation] !== 'unrecorded') return parts.memory.write({ Update: input });
      throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
    },
  });
  const parse = (r: { body?: string; kinesis?: { data: string } }) => {
    const text = r.body ?? Buffer.from(r.kinesis?.data ?? '', 'base64').toString();
    const { operation } = JSON.parse(text) as { operation: number };
    if (now[operation] === 'malformed') throw new SyntaxError();
    return operation;
  };
  const work = async (operation: number) => {
    await new Promise<void>((over) => parts.clock.after(takes[operation] as number, over));
    if (now[operation] === 'throws') throw new Error('declined');
    done.push(operation);
  };
  const { runOnce } = parts;
  const key = (operation: number) => keyOf('operation', operation);
  const handle = handler(
    { parse: parse as never, key, concurrency, runOnce, whenInProgress: 'throw' },
    work as never,
  );
  const records = items.map(record);
  const ids = records.map((r) => idOf(r as never));
  for (const [operation, fate] of fates.entries()) {
    if (fate === 'busy') void runOnce(key(operation), 24 * 3600, () => new Promise(() => {}));
  }

  return {
    done,
    /** From now on nothing fails any more. */
    mend() {
      for (const [pk, { status }] of parts.items) if (status === 'IN_PROGRESS') parts.items.delete(pk);
      now = now.map(() => 'done');
    },
    isDone: (position: number) =>
      parts.items.get(key(items[position]?.operation as number))?.status === 'COMPLETED',
    /** Delivers these positions; in answer, those that the response names. */
    async deliver(positions: number[], milliseconds = 900_000): Promise<number[]> {
      const sent = positions.map((position) => records[position] as never);
      const outcome = handle({ Records: sent }, parts.invocation(milliseconds));
      await parts.clock.advance(100_000);
      const { batchItemFailures } = await outcome;
      return batchItemFailures.map(({ itemIdentifier }) => ids.indexOf(itemIdentifier));
    },
  };
}

/** Positions from the one given on. */
const following = (first: number, of: number) => Array.from({ length: of - first }, (_, i) => first + i);

describe.each<[string, Adapter, (batch: Batch, isDone: (position: number) => boolean) => number[]]>([
  ['a standard queue', standard, ({ items }, isDone) => following(0, items.length).filter((p) => !isDone(p))],
  [
    'a FIFO queue',
    fifo,
    ({ items }, isDone) =>
      following(0, items.length).filter((p) =>
        following(0, p + 1).some((before) => items[before]?.lane === items[p]?.lane && !isDone(before)),
      ),
  ],
  [
    'a stream',
    kinesis,
    ({ items }, isDone) =>
      following(0, items.length)
        .filter((p) => !isDone(p))
        .slice(0, 1),
  ],
])('%s', (_, adapter, expected) => {
  const orderCounts = adapter !== standard;
  /** What comes again of a batch when the response names these. */
  const again = (named: number[], length: number) =>
    adapter === kinesis ? named.flatMap((first) => following(first, length)) : named;

  it('is told exactly which records must come again; then each operation is done once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const { items } = batch;
        const { deliver, isDone, mend, done } = lambda(adapter, batch);
        const named = await deliver(following(0, items.length));
        expect(named).toEqual(expected(batch, isDone));

        mend();
        expect(await deliver(again(named, items.length))).toEqual([]);
        expect([...done].sort()).toEqual([...new Set(items.map(({ operation }) => operation))].sort());
        if (orderCounts) expectOrder(items, done);
      }),
      { numRuns: 150 },
    );
  });

  it('loses nothing where time runs out, and repeats nothing', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.array(fc.nat(9000), { maxLength: 5 }), async (batch, times) => {
        const { items } = batch;
        const { deliver, isDone, mend, done } = lambda(adapter, batch);
        let left = following(0, items.length);
        for (const milliseconds of times) {
          const named = await deliver(left, milliseconds);
          left = again(named, items.length);
          expect(following(0, items.length).filter((p) => !isDone(p) && !left.includes(p))).toEqual([]);
        }
        mend();
        expect(await deliver(left)).toEqual([]);
        expect([...done].sort()).toEqual([...new Set(items.map(({ operation }) => operation))].sort());
        if (orderCounts) expectOrder(items, done);
      }),
      { numRuns: 100 },
    );
  });
});

/** Of the operations that are in one lane only, that they were done in the order in which the lane has them. */
function expectOrder(items: Item[], done: number[]): void {
  const lanesOf = (operation: number) =>
    new Set(items.filter((item) => item.operation === operation).map(({ lane }) => lane));
  for (const lane of ['a', 'b', 'c']) {
    const own = items.filter((item) => item.lane === lane && lanesOf(item.operation).size === 1);
    const ordered = [...new Set(own.map(({ operation }) => operation))];
    expect(done.filter((operation) => ordered.includes(operation))).toEqual(ordered);
  }
}
