import { jest } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { keyOf } from '../../../layer/key-of';
import { type SqsOptions, sqsHandler } from '../../../layer/sources/sqs';
import type { Table } from '../../../layer/table';
import { sqsEvent, sqsRecord } from '../../events/sqs';
import { once } from './once';

interface Order {
  id: string;
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
const failed = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());
const warnings = () =>
  warned.mock.calls.map(([message, options]) => ({
    message,
    ...(options as { code: string; detail?: string }),
  }));

describe('a batch', () => {
  it('is carried out, each message once, also when it comes again', async () => {
    const work = jest.fn(async (_: Order) => 'charged');
    const { handle, items } = queue(work);
    await expect(handle(order('1'), order('2'))).resolves.toEqual(failed());
    await expect(handle(order('2'), order('1'), order('3'))).resolves.toEqual(failed());
    expect(work.mock.calls.map(([{ id }]) => id)).toEqual(['1', '2', '3']);
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

  it('names the messages whose work fails, and runs those only when they come again', async () => {
    const work = jest.fn((o: Order) => {
      if (o.id === '2' && work.mock.calls.length <= 3) throw new Error('declined');
    });
    const { handle } = queue(work);
    await expect(handle(order('1'), order('2'), order('3'))).resolves.toEqual(failed('m-2'));
    await expect(handle(order('1'), order('2'), order('3'))).resolves.toEqual(failed());
    expect(work.mock.calls.map(([{ id }]) => id)).toEqual(['1', '2', '3', '2']);
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

  it('keeps to its identifiers whatever the work does to the record', async () => {
    const { handler, invocation } = queue(() => {}, {});
    const { runOnce } = once();
    const spoiling = sqsHandler({ runOnce, key: (o: Order) => o.id }, (_, __, { record }) => {
      record.messageId = 'another';
      throw new Error('failed');
    });
    await expect(spoiling({ Records: [order('1')] }, invocation())).resolves.toEqual(failed('m-1'));
    expect(handler).toBeDefined();
  });
});
