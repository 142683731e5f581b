import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createTestRunOnce } from 'run-once/testing';
import { ConfigurationError, LockLostError, StillInProgressError } from '../../../layer/errors';
import { sqsHandler } from '../../../layer/sources/sqs';
import { sqsEvent } from '../../events/sqs';

const never = () => new Promise<never>(() => {});

afterEach(() => {
  jest.useRealTimers();
});

it('runs work once and replays its result', async () => {
  const { runOnce, records } = createTestRunOnce();
  const work = jest.fn(() => ({ sent: new Date(0) }));
  await expect(runOnce('mail#1', 30, work)).resolves.toEqual({ sent: new Date(0) });
  await expect(runOnce('mail#1', 30, work)).resolves.toEqual({ sent: new Date(0) });
  expect(work).toHaveBeenCalledTimes(1);
  expect(records.get('mail#1')).toMatchObject({ pk: 'mail#1', status: 'COMPLETED', attempt: 1 });
});

it('has a table and a clock of its own each time', async () => {
  const first = createTestRunOnce();
  await first.runOnce('mail#1', 30, () => 'sent');
  await first.clock.advance(60);
  const second = createTestRunOnce();
  expect(second.records.size).toBe(0);
  expect(second.clock.now()).toBe(Date.UTC(2027, 0, 15));
  expect(first.clock.now()).toBe(second.clock.now() + 60_000);
});

it('releases the key when the work throws', async () => {
  const { runOnce, records } = createTestRunOnce();
  const failing = runOnce('mail#1', 30, () => Promise.reject(new Error('no route')));
  await expect(failing).rejects.toThrow('no route');
  expect(records.has('mail#1')).toBe(false);
});

it('takes a dead run over once its lock has ended, and not before', async () => {
  const { runOnce, clock } = createTestRunOnce();
  void runOnce('mail#1', 30, never);
  await clock.advance(29);
  await expect(runOnce('mail#1', 30, never)).rejects.toThrow(StillInProgressError);
  await clock.advance(3);
  await expect(runOnce('mail#1', 30, (run) => run.attempt)).resolves.toBe(2);
});

it('lets a duplicate wait, and the time decide what it gets', async () => {
  const { runOnce, clock } = createTestRunOnce();
  let finish = (_: string) => {};
  const first = runOnce('mail#1', 30, () => new Promise<string>((resolve) => (finish = resolve)));
  const second = runOnce('mail#1', { lockSeconds: 30, whenInProgress: 'wait', waitSeconds: 20 }, never);
  await clock.advance(1);
  finish('sent');
  await clock.advance(19);
  await expect(Promise.all([first, second])).resolves.toEqual(['sent', 'sent']);
});

it('aborts the signal before the lock ends, and tells the loser', async () => {
  const { runOnce, clock } = createTestRunOnce();
  let aborted = false;
  let finish = (_: unknown) => {};
  const slow = runOnce('mail#1', 30, ({ signal }) => {
    signal.addEventListener('abort', () => (aborted = true));
    return new Promise((resolve) => (finish = resolve));
  });
  await clock.advance(32);
  expect(aborted).toBe(true);
  void runOnce('mail#1', 30, never);
  await clock.advance(0);
  finish('late');
  await expect(slow).rejects.toThrow(LockLostError);
});

it('forgets a result once retention is over', async () => {
  const { runOnce, clock, records } = createTestRunOnce();
  await runOnce('mail#1', 30, () => 'first');
  await clock.advance(86_402);
  expect(records.has('mail#1')).toBe(true);
  await expect(runOnce('mail#1', 30, () => 'second')).resolves.toBe('second');
});

it('tells an observer, and serves an adapter', async () => {
  const outcomes: string[] = [];
  const { runOnce } = createTestRunOnce({ observer: ({ outcome }) => outcomes.push(outcome) });
  const handler = sqsHandler({ key: ({ id }: { id: string }) => `mail#${id}`, runOnce }, () => 'sent');
  const context = { getRemainingTimeInMillis: () => 30_000 };
  await handler(sqsEvent([{ id: '1' }]), context);
  await handler(sqsEvent([{ id: '1' }]), context);
  expect(outcomes).toEqual(['executed', 'replayed']);
});

it('moves under fake timers of the test runner, too', async () => {
  jest.useFakeTimers();
  const { runOnce, clock } = createTestRunOnce();
  void runOnce('mail#1', 5, never);
  await clock.advance(7);
  await expect(runOnce('mail#1', 5, (run) => run.attempt)).resolves.toBe(2);
});

describe('tables of the work’s own', () => {
  const kit = () =>
    createTestRunOnce({ tables: { balances: ['account'], entries: ['account', 'sequence'] } });

  it('are written together with the completion', async () => {
    const { runOnce, tables } = kit();
    tables.balances.put({ account: 'a', amount: 5 });
    const post = () =>
      runOnce('entry#1', 30, (run) =>
        run.commit(
          {
            Update: {
              TableName: 'balances',
              Key: { account: 'a' },
              UpdateExpression: 'ADD amount :amount',
              ConditionExpression: 'attribute_exists(account)',
              ExpressionAttributeValues: { ':amount': 10 },
            },
          },
          { Put: { TableName: 'entries', Item: { account: 'a', sequence: 1 } } },
          { Put: { TableName: 'entries', Item: { account: 'a', sequence: 2 } } },
        ),
      );
    await post();
    await post();
    expect(tables.balances.items()).toEqual([{ account: 'a', amount: 15 }]);
    expect(tables.entries.items()).toEqual([
      { account: 'a', sequence: 1 },
      { account: 'a', sequence: 2 },
    ]);
  });

  it('hand out copies', async () => {
    const { tables } = kit();
    const item = { account: 'a', limits: { day: 1 } };
    tables.balances.put(item);
    item.limits.day = 2;
    (tables.balances.items()[0] as typeof item).limits.day = 3;
    expect(tables.balances.items()).toEqual([{ account: 'a', limits: { day: 1 } }]);
  });

  it('must be declared, with all of their key', async () => {
    const { runOnce, tables } = kit();
    const put = (TableName: string) =>
      runOnce('k', 30, (run) => run.commit({ Put: { TableName, Item: { account: 'a' } } }));
    const refused = await put('ledger').catch((error) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect(refused.message).toContain("{ tables: { 'ledger': ['its partition key'] } }");
    expect(() => tables.entries.put({ account: 'a' })).toThrow('lacks the key sequence');
  });
});

it.each([-1, Number.NaN, '5'])('refuses to advance by %p', async (seconds) => {
  const { clock } = createTestRunOnce();
  await expect(clock.advance(seconds as number)).rejects.toThrow(ConfigurationError);
});

it('refuses options that it does not have', () => {
  expect(() => createTestRunOnce({ table: 'x' } as never)).toThrow(/no option table/);
});
