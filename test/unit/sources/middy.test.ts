import { jest } from '@jest/globals';
import middy7 from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import middy6 from 'middy-6';
import {
  ConfigurationError,
  KeyReusedError,
  LockLostError,
  StillInProgressError,
  StoreError,
} from '../../../layer/errors';
import type { Run } from '../../../layer/run';
import { runOnceWith } from '../../../layer/run-once';
import { type MiddlewareOptions, runOnceMiddleware } from '../../../layer/sources/middy';
import { createStore } from '../../../layer/store';
import type { Table } from '../../../layer/table';
import { MemoryTable } from '../../../testing/memory-table';
import { VirtualClock } from '../../../testing/virtual-clock';
import { plain } from '../../protocol-suite';

interface Order {
  id: string;
  amount?: number;
}

type Handler = (event: Order, context: { run: Run }) => unknown;
type Call = (event: Order, context?: object) => Promise<unknown>;

/** What is used of Middy here, the same in each version. */
interface Middy {
  use(middleware: object): Middy;
  before(phase: (request: { event: Order }) => unknown): Middy;
  after(phase: (request: { response: unknown }) => unknown): Middy;
  onError(phase: (request: { error: unknown; response: unknown }) => unknown): Middy;
  handler(handler: Handler): Call;
}

type MakeMiddy = (plugin?: object) => Middy;

// Without the timer by which Middy gives a handler up, but where a test asks for it.
const versions: [string, MakeMiddy][] = Object.entries({ 'Middy 7': middy7, 'Middy 6': middy6 }).map(
  ([version, make]) => [
    version,
    (plugin) => (make as unknown as MakeMiddy)({ timeoutEarlyInMillis: 0, ...plugin }),
  ],
);

function guard(options: Partial<MiddlewareOptions<Order>> = {}, faults: Partial<Table> = {}) {
  const memory = new MemoryTable();
  const clock = new VirtualClock();
  const store = createStore({ ...plain(memory), ...faults }, 'idempotency', clock);
  const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 60 });
  return {
    memory,
    clock,
    items: memory.items('idempotency'),
    once: runOnceMiddleware<Order>({ key: (event) => `order#${event.id}`, runOnce, ...options }),
  };
}

// A context as Lambda gives it, a new one for each invocation, with ample time.
const lambda = () => ({ getRemainingTimeInMillis: () => 29_000 });

describe.each(versions)('a handler of %s', (_, middy) => {
  it('runs once for its key; what is replayed deep-equals what the first caller got', async () => {
    const { once, items } = guard();
    const answer = { id: 7, at: new Date(0), note: undefined };
    const handler = jest.fn<Handler>(async () => answer);
    const handle = middy().use(once).handler(handler);
    const first = await handle({ id: '1' }, lambda());
    expect(first).toEqual(answer);
    expect(first).not.toBe(answer);
    expect(await handle({ id: '1' }, lambda())).toStrictEqual(first);
    expect(await handle({ id: '2' }, lambda())).toStrictEqual(first);
    expect(handler).toHaveBeenCalledTimes(2);
    expect([...items.keys()]).toEqual(['order#1', 'order#2']);
  });

  it.each([undefined, null, 0, '', false, [], {}])('replays %p without running again', async (answer) => {
    const { once } = guard();
    const handler = jest.fn<Handler>(() => answer);
    const handle = middy().use(once).handler(handler);
    expect(await handle({ id: '1' }, lambda())).toEqual(answer);
    expect(await handle({ id: '1' }, lambda())).toEqual(answer);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('finds its run in the context', async () => {
    const { once } = guard();
    const handle = middy()
      .use(once)
      .handler((_, { run }) => [run.key, run.attempt]);
    expect(await handle({ id: '1' }, lambda())).toEqual(['order#1', 1]);
  });

  it.each([new Error('declined'), undefined, 'text'])('that throws %p releases the key', async (thrown) => {
    const { once, items } = guard();
    const handler = jest.fn<Handler>().mockImplementationOnce(() => Promise.reject(thrown));
    const handle = middy().use(once).handler(handler);
    await expect(handle({ id: '1' }, lambda())).rejects.toBe(thrown);
    expect(items.size).toBe(0);
    handler.mockReturnValue('done');
    expect(await handle({ id: '1' }, lambda())).toBe('done');
  });

  it('brings StillInProgressError to the error handlers that were registered before', async () => {
    const { once } = guard();
    const seen: unknown[] = [];
    const handle = (handler: Handler) =>
      middy()
        .use(httpErrorHandler({ logger: false }))
        .onError(({ error }) => {
          seen.push(error);
          if (!(error instanceof StillInProgressError)) return;
          const headers = { 'Retry-After': String(error.retryAfterSeconds) };
          Object.assign(error, { statusCode: 409, headers });
        })
        .use(once)
        .handler(handler);
    void handle(() => new Promise(() => {}))({ id: '1' }, lambda());
    const refused = await handle(() => 'again')({ id: '1' }, lambda());
    expect(refused).toMatchObject({ statusCode: 409, headers: { 'Retry-After': '30' } });
    expect(seen).toEqual([expect.any(StillInProgressError)]);
  });

  it('a duplicate that is refused releases nothing', async () => {
    const { once, items } = guard();
    const handle = middy()
      .use(once)
      .handler(() => new Promise(() => {}));
    void handle({ id: '1' }, lambda());
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow(StillInProgressError);
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow(StillInProgressError);
    expect(items.size).toBe(1);
  });

  it('keeps requests that run at the same time apart, also where they share `internal`', async () => {
    const { once, items } = guard();
    const finish: Record<string, (answer: unknown) => void> = {};
    const handle = middy({ internal: { shared: true } })
      .use(once)
      .handler(({ id }) => new Promise((resolve, reject) => (finish[id] = id === '2' ? reject : resolve)));
    const outcomes = Promise.allSettled(['1', '2', '3'].map((id) => handle({ id }, lambda())));
    await new Promise(setImmediate);
    for (const id of ['3', '1', '2']) finish[id]?.(`done ${id}`);
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: 'done 1' },
      { status: 'rejected', reason: 'done 2' },
      { status: 'fulfilled', value: 'done 3' },
    ]);
    expect([...items.keys()]).toEqual(['order#1', 'order#3']);
  });

  it('is stored as the middlewares after it have shaped the response', async () => {
    const { once } = guard();
    const shape = jest.fn((request: { response: unknown }) => {
      request.response = { statusCode: 200, body: JSON.stringify(request.response) };
    });
    const handle = middy()
      .use(once)
      .after(shape)
      .handler(({ id }) => ({ id }));
    const response = { statusCode: 200, body: '{"id":"1"}' };
    expect(await handle({ id: '1' }, lambda())).toEqual(response);
    expect(await handle({ id: '1' }, lambda())).toEqual(response);
    expect(shape).toHaveBeenCalledTimes(1);
  });

  it('passes its response on to the middlewares before it', async () => {
    const { once } = guard();
    const handle = middy()
      .after((request) => {
        request.response = `${request.response}!`;
      })
      .use(once)
      .handler(() => 'done');
    expect(await handle({ id: '1' }, lambda())).toBe('done!');
    // Middy's rule: nothing else runs after an early response.
    expect(await handle({ id: '1' }, lambda())).toBe('done');
  });

  it.each<[string, (m: Middy) => Middy]>([
    ['before the handler', (m) => m.before(() => Promise.reject(new Error('invalid')))],
    ['after the handler', (m) => m.after(() => Promise.reject(new Error('invalid')))],
  ])('is released when a middleware after it throws %s', async (_, broken) => {
    const { once, items } = guard();
    const handle = broken(middy().use(once)).handler(() => 'done');
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow('invalid');
    expect(items.size).toBe(0);
  });

  it('stays completed when a middleware before it throws after it', async () => {
    const { once } = guard();
    const handler = jest.fn<Handler>(() => 'done');
    const handle = middy()
      .after(() => Promise.reject(new Error('broken')))
      .use(once)
      .handler(handler);
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow('broken');
    expect(await handle({ id: '1' }, lambda())).toBe('done');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is not run, and locked by nothing, when a middleware before it refuses', async () => {
    const { once, items } = guard();
    const handler = jest.fn<Handler>();
    const refusing = middy().before(() => Promise.reject(new Error('invalid')));
    await expect(refusing.use(once).handler(handler)({ id: '1' }, lambda())).rejects.toThrow('invalid');
    const answering = middy().before(() => 'warm');
    expect(await answering.use(once).handler(handler)({ id: '1' }, lambda())).toBe('warm');
    expect(handler).not.toHaveBeenCalled();
    expect(items.size).toBe(0);
  });

  it('stays locked until the lock ends when a middleware after it answers by itself', async () => {
    const { once, clock } = guard();
    const handler = jest.fn<Handler>(() => 'done');
    const answering = middy()
      .use(once)
      .before(() => 'warm');
    expect(await answering.handler(handler)({ id: '1' }, lambda())).toBe('warm');
    const handle = middy().use(once).handler(handler);
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow(StillInProgressError);
    clock.time += 31_000;
    expect(await handle({ id: '1' }, lambda())).toBe('done');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('that Middy gives up keeps its key locked, for it may still be at work', async () => {
    const { once, items } = guard({ lockSeconds: 60 });
    const handle = middy({ timeoutEarlyInMillis: 5 })
      .use(once)
      .handler(() => new Promise(() => {}));
    const soon = { getRemainingTimeInMillis: () => 15 };
    await expect(handle({ id: '1' }, soon)).rejects.toThrow(/aborted/);
    expect([...items.values()][0]?.status).toBe('IN_PROGRESS');
    await expect(handle({ id: '1' }, soon)).rejects.toThrow(StillInProgressError);
  });

  it.each([
    Object.assign(new Error('slow'), { name: 'TimeoutError' }),
    new DOMException('slow', 'TimeoutError'),
    Object.assign(new Error('x', { cause: { package: '@middy/core' } }), { name: 'Error' }),
    Object.assign(new Error('x', { cause: null }), { name: 'TimeoutError' }),
  ])('that times out by itself releases the key: %p', async (thrown) => {
    const { once, items } = guard();
    const handle = middy()
      .use(once)
      .handler(() => Promise.reject(thrown));
    await expect(handle({ id: '1' }, lambda())).rejects.toBe(thrown);
    expect(items.size).toBe(0);
  });

  it('throws again what rememberError says is its outcome', async () => {
    class CardDeclined extends Error {}
    const { once } = guard({ rememberError: (error) => error instanceof CardDeclined });
    const handler = jest.fn<Handler>(() => Promise.reject(new CardDeclined('no funds')));
    const handle = middy().use(once).handler(handler);
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow('no funds');
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow('no funds');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is told from another request under its key by the fingerprint', async () => {
    const { once } = guard({ fingerprint: ({ amount }) => ({ amount }) });
    const handle = middy()
      .use(once)
      .handler(() => 'done');
    await handle({ id: '1', amount: 5 }, lambda());
    await expect(handle({ id: '1', amount: 6 }, lambda())).rejects.toThrow(KeyReusedError);
    expect(await handle({ id: '1', amount: 5 }, lambda())).toBe('done');
  });

  it('waits, locks and keeps as the options say', async () => {
    const { once, items, clock } = guard({
      lockSeconds: 5,
      keepForSeconds: 600,
      whenInProgress: 'wait',
      waitSeconds: 3,
    });
    let finish = (_: unknown) => {};
    const handler = jest.fn<Handler>(() => new Promise((resolve) => (finish = resolve)));
    const handle = middy().use(once).handler(handler);
    const first = handle({ id: '1' }, lambda());
    const second = handle({ id: '1' }, lambda());
    await clock.advance(1_000);
    expect([...items.values()][0]?.expiresAt).toBe(Date.UTC(2027, 0, 15) / 1000 + 5);
    finish('done');
    await clock.advance(1_000);
    expect([await first, await second]).toEqual(['done', 'done']);
    expect([...items.values()][0]?.expiresAt).toBe(Date.UTC(2027, 0, 15) / 1000 + 1 + 600);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is answered with what is found out about a run that died', async () => {
    const { once, clock } = guard({ onOrphan: () => ({ result: 'found' }) });
    const handler = jest.fn<Handler>(() => new Promise(() => {}));
    const handle = middy().use(once).handler(handler);
    void handle({ id: '1' }, lambda());
    await clock.advance(60_000);
    expect(await handle({ id: '1' }, lambda())).toBe('found');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('is not run while the table is out', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    const { once } = guard({}, { update: () => Promise.reject(denied) });
    const handler = jest.fn<Handler>();
    await expect(middy().use(once).handler(handler)({ id: '1' }, lambda())).rejects.toThrow(StoreError);
    expect(handler).not.toHaveBeenCalled();
  });

  it('brings a completion that fails to onError, which changes nothing more', async () => {
    const { once, clock, items } = guard();
    const onError = jest.fn();
    let finish: (answer: unknown) => void = () => {};
    const handle = middy()
      .onError(onError)
      .use(once)
      .handler(() => new Promise((resolve) => (finish = resolve)));
    const first = handle({ id: '1' }, lambda());
    await new Promise(setImmediate);
    const finishFirst = finish;
    await clock.advance(60_000);
    const second = handle({ id: '1' }, lambda());
    await new Promise(setImmediate);
    const outcome = expect(first).rejects.toThrow(LockLostError);
    finishFirst('late');
    await outcome;
    expect(onError).toHaveBeenCalledTimes(1);
    expect([...items.values()][0]?.status).toBe('IN_PROGRESS');
    finish('done');
    expect(await second).toBe('done');
  });

  it('brings an error of its key to onError, and does not run', async () => {
    const handler = jest.fn<Handler>();
    const missing = guard({ key: () => undefined as never });
    await expect(middy().use(missing.once).handler(handler)({ id: '1' }, lambda())).rejects.toThrow(
      /non-empty string/,
    );
    const broken = guard({
      key: () => {
        throw new TypeError('no such field');
      },
    });
    await expect(middy().use(broken.once).handler(handler)({ id: '1' }, lambda())).rejects.toThrow(
      'no such field',
    );
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('options', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /needs a key/],
    [{}, /needs a key, a function of the event/],
    [{ key: 'order' }, /needs a key/],
    [{ key: String, lockSecond: 5 }, /runOnceMiddleware has no option lockSecond/],
    [{ key: String, heartbeat: true }, /has no option heartbeat/],
    [{ key: String, fingerprint: { a: 1 } }, /wrong fingerprint/],
    [{ key: String, runOnce: {} }, /wrong runOnce/],
  ])('%p are refused when the middleware is made', (options, message) => {
    const make = () => runOnceMiddleware(options as MiddlewareOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  it('leave runOnce to the environment', async () => {
    const once = runOnceMiddleware<Order>({ key: ({ id }) => id });
    const handle = (middy7 as unknown as MakeMiddy)()
      .use(once)
      .handler(() => 'done');
    await expect(handle({ id: '1' }, lambda())).rejects.toThrow(/Set IDEMPOTENCY_TABLE/);
  });
});
