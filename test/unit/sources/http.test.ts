import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import type { HttpEvent, HttpResponse } from '../../../layer';
import { ConfigurationError, InvalidKeyError, StillInProgressError } from '../../../layer/errors';
import type { Run } from '../../../layer/run';
import { runOnceWith } from '../../../layer/run-once';
import { type HttpOptions, type HttpWork, httpHandler } from '../../../layer/sources/http';
import { createStore } from '../../../layer/store';
import type { Table } from '../../../layer/table';
import { MemoryTable } from '../../../testing/memory-table';
import { VirtualClock } from '../../../testing/virtual-clock';
import { httpApiEvent } from '../../events/http-api';
import { functionUrlEvent } from '../../events/http-function-url';
import { loadBalancerEvent, multiValueLoadBalancerEvent } from '../../events/http-load-balancer';
import type { ClientRequest } from '../../events/http-request';
import { restApiEvent } from '../../events/http-rest-api';
import { plain } from '../../protocol-suite';

type Options = HttpOptions<HttpEvent>;
type Work = HttpWork<HttpEvent, typeof context, unknown>;

const context = { getRemainingTimeInMillis: () => 29_000 };
const never = () => new Promise<never>(() => {});

/** `httpHandler` on a table of its own. */
function api(options: Options = {}, faults: Partial<Table> = {}) {
  const memory = new MemoryTable();
  const clock = new VirtualClock();
  const store = createStore({ ...plain(memory), ...faults }, 'idempotency', clock);
  const runOnce = runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 60 });
  return {
    memory,
    clock,
    items: memory.items('idempotency'),
    runOnce,
    handler: (work: Work) => httpHandler({ runOnce, ...options }, work),
  };
}

const post = (key = '"k-1"', rest: ClientRequest = {}): ClientRequest => ({
  headers: { 'Idempotency-Key': key },
  body: '{"amount":5}',
  ...rest,
});

/** Header and body of a problem, wherever the payload has its headers. */
function problem(response: unknown, headersIn: 'headers' | 'multiValueHeaders' = 'headers') {
  const { statusCode, body, isBase64Encoded, ...rest } = response as HttpResponse;
  expect(isBase64Encoded).toBe(false);
  const headers = Object.fromEntries(
    Object.entries(rest[headersIn] ?? {}).map(([name, value]) => [name, [value].flat().join()]),
  );
  expect(headers['Content-Type']).toBe('application/problem+json');
  return { statusCode, retryAfter: headers['Retry-After'], ...JSON.parse(body) };
}

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(() => warned.mockRestore());

const tenant = (event: HttpEvent) =>
  'multiValueHeaders' in event
    ? `tenant ${event.multiValueHeaders?.['x-tenant']?.[0]}`
    : `tenant ${event.headers?.['x-tenant']}`;

interface Payload {
  event: (request: ClientRequest) => HttpEvent;
  caller: string;
  options?: Options;
  headersIn?: 'headers' | 'multiValueHeaders';
  /** A response with all that the payload's responses can have. */
  response: object;
  replayed: object;
}

const image = { body: Buffer.from([0, 255, 137]).toString('base64'), isBase64Encoded: true };

const payloads: Record<string, Payload> = {
  'a REST API': {
    event: restApiEvent,
    caller: 'principal id=alice',
    response: {
      ...image,
      statusCode: 201,
      headers: { Location: '/payments/7', 'X-Count': 2 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    },
    replayed: {
      ...image,
      statusCode: 201,
      headers: { Location: '/payments/7', 'X-Count': 2, 'Idempotent-Replayed': 'true' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    },
  },
  'an HTTP API': {
    event: httpApiEvent,
    caller: 'jwt iss=https://login.example.com sub=alice client_id=app',
    response: { ...image, statusCode: 201, headers: { location: '/payments/7' }, cookies: ['a=1', 'b=2'] },
    replayed: {
      ...image,
      statusCode: 201,
      headers: { location: '/payments/7', 'Idempotent-Replayed': 'true' },
      cookies: ['a=1', 'b=2'],
    },
  },
  'a Function URL': {
    event: functionUrlEvent,
    caller: 'iam arn=arn:aws:sts::123456789012:assumed-role/alice/shop',
    response: { ...image, statusCode: 201, cookies: ['a=1'] },
    replayed: { ...image, statusCode: 201, cookies: ['a=1'], headers: { 'Idempotent-Replayed': 'true' } },
  },
  'a load balancer': {
    event: loadBalancerEvent,
    caller: 'tenant alice',
    options: { caller: tenant },
    response: {
      ...image,
      statusCode: 201,
      statusDescription: '201 Created',
      headers: { location: '/payments/7' },
    },
    replayed: {
      ...image,
      statusCode: 201,
      statusDescription: '201 Created',
      headers: { location: '/payments/7', 'Idempotent-Replayed': 'true' },
    },
  },
  'a load balancer with multi-value headers': {
    event: multiValueLoadBalancerEvent,
    caller: 'tenant alice',
    options: { caller: tenant },
    headersIn: 'multiValueHeaders',
    response: { ...image, statusCode: 201, multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] } },
    replayed: {
      ...image,
      statusCode: 201,
      multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'], 'Idempotent-Replayed': ['true'] },
    },
  },
};

describe.each(Object.entries(payloads))('a request through %s', (_, payload) => {
  const { event, caller, options = {}, headersIn, response, replayed } = payload;

  it('is carried out once; a repetition gets the whole response and is told so', async () => {
    const work = jest.fn<Work>(async () => response);
    const { handler, items } = api(options);
    const handle = handler(work);
    expect(await handle(event(post()), context)).toEqual(response);
    expect([...items.keys()]).toEqual([`http#${caller}#POST#/payments#k-1`]);
    expect(await handle(event(post()), context)).toEqual(replayed);
    expect(await handle(event(post()), context)).toEqual(replayed);
    expect(work).toHaveBeenCalledTimes(1);
    expect(work.mock.calls[0]?.[2]).toMatchObject({ key: `http#${caller}#POST#/payments#k-1`, attempt: 1 });
  });

  it('is refused with 409 while the first is carried out', async () => {
    const { handler } = api(options);
    void handler(never)(event(post()), context);
    const second = await handler(() => response)(event(post()), context);
    expect(problem(second, headersIn)).toEqual({
      statusCode: 409,
      retryAfter: '30',
      title: 'Conflict',
      status: 409,
      code: 'request-in-progress',
      detail: expect.stringContaining('this one was not'),
    });
    expect(warned).not.toHaveBeenCalled();
  });

  it.each<[string, ClientRequest]>([
    ['another body', { body: '{"amount":6}' }],
    ['no body', { body: undefined as never }],
    ['another query', { query: { dry: ['1'] } }],
  ])('is refused with 422 under a key that was used with %s', async (_, other) => {
    const work = jest.fn(() => response);
    const { handler } = api(options);
    const handle = handler(work);
    await handle(event(post()), context);
    const refused = await handle(event(post('"k-1"', other)), context);
    expect(problem(refused, headersIn)).toMatchObject({
      statusCode: 422,
      code: 'idempotency-key-reused',
      detail: expect.stringContaining('another query or body; this one was not carried out'),
    });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is refused with 422 under the key of another one that is still carried out', async () => {
    const { handler } = api(options);
    void handler(never)(event(post()), context);
    const refused = await handler(() => response)(event(post('"k-1"', { body: '{}' })), context);
    expect(problem(refused, headersIn)).toMatchObject({ statusCode: 422 });
  });

  it('is told from another by the whole query', async () => {
    const work = jest.fn<Work>(async () => response);
    const { handler } = api(options);
    const handle = handler(work);
    const query = { to: ['de', 'at'], dry: [''] };
    await handle(event(post('k', { query })), context);
    await handle(event(post('k', { query: { ...query } })), context);
    expect(work).toHaveBeenCalledTimes(1);
    const refused = await handle(event(post('k', { query: { ...query, dry: ['1'] } })), context);
    expect(problem(refused, headersIn)).toMatchObject({ statusCode: 422 });
  });

  it('is refused with 400 without a key, and runs unguarded where none is required', async () => {
    const work = jest.fn<Work>(async () => response);
    const required = api(options);
    const refused = await required.handler(work)(event({ body: '{}' }), context);
    expect(problem(refused, headersIn)).toEqual({
      statusCode: 400,
      retryAfter: undefined,
      title: 'Bad Request',
      status: 400,
      code: 'idempotency-key-missing',
      detail: expect.stringContaining('needs an Idempotency-Key header'),
    });
    expect(work).not.toHaveBeenCalled();

    const optional = api({ ...options, keyRequired: false });
    expect(await optional.handler(work)(event({ body: '{}' }), context)).toBe(response);
    expect(work.mock.calls[0]?.[2]).toBeUndefined();
    expect(required.items.size + optional.items.size).toBe(0);
  });

  it('is refused with 400 with two keys, whether required or not', async () => {
    const work = jest.fn(() => response);
    const { handler, items } = api({ ...options, keyRequired: false });
    const refused = await handler(work)(
      event(post('', { headers: { 'idempotency-key': ['"a",'] } })),
      context,
    );
    expect(problem(refused, headersIn)).toMatchObject({ statusCode: 400, code: 'idempotency-key-invalid' });
    expect(work).not.toHaveBeenCalled();
    expect(items.size).toBe(0);
  });

  it('gets a response of status 500 or more, and is carried out again', async () => {
    const { handler, items } = api(options);
    const down = { ...response, statusCode: 503 };
    const handle = handler(
      jest
        .fn<() => Promise<unknown>>()
        .mockResolvedValueOnce(down)
        .mockResolvedValueOnce({ ...response, statusCode: '500' })
        .mockResolvedValue(response),
    );
    expect(await handle(event(post()), context)).toEqual(down);
    expect(items.size).toBe(0);
    expect(await handle(event(post()), context)).toMatchObject({ statusCode: '500' });
    expect(await handle(event(post()), context)).toEqual(response);
    expect(await handle(event(post()), context)).toEqual(replayed);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('passes through where its method is %s', async (method) => {
    const work = jest.fn<Work>(async () => response);
    const { handler, items } = api(options);
    const handle = handler(work);
    expect(await handle(event(post('"k-1"', { method })), context)).toBe(response);
    expect(await handle(event(post('"k-1"', { method })), context)).toBe(response);
    expect(work).toHaveBeenCalledTimes(2);
    expect(work.mock.calls[1]?.[2]).toBeUndefined();
    expect(items.size).toBe(0);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('is guarded where its method is %s', async (method) => {
    const { handler, items } = api(options);
    await handler(() => response)(event(post('"k-1"', { method })), context);
    expect(items.size).toBe(1);
  });

  it('is the same request whatever the casing of the header and the quotes of its value', async () => {
    const work = jest.fn<Work>(async () => response);
    const { handler } = api(options);
    const handle = handler(work);
    for (const headers of [
      { 'Idempotency-Key': '"k-1"' },
      { 'idempotency-key': 'k-1' },
      { 'IDEMPOTENCY-KEY': ' k-1 ' },
    ]) {
      await handle(event(post('', { headers })), context);
    }
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is the same request whether its body comes as text or as base64', async () => {
    const work = jest.fn<Work>(async () => response);
    const { handler } = api(options);
    const handle = handler(work);
    await handle(event(post('k', { body: 'grüße' })), context);
    expect(await handle(event(post('k', { body: Buffer.from('grüße') })), context)).toEqual(replayed);
    const refused = await handle(event(post('k', { body: Buffer.from('grüsse') })), context);
    expect(problem(refused, headersIn)).toMatchObject({ statusCode: 422 });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('has a scope of its own for each caller and path', async () => {
    const { handler, items } = api(options);
    let count = 0;
    const handle = handler(async () => ({ statusCode: 200, body: String(++count) }));
    for (const request of [{}, { caller: 'bob' }, { path: '/refunds' }]) {
      expect(await handle(event(post('k', request)), context)).toMatchObject({ body: String(count) });
    }
    expect(count).toBe(3);
    expect(items.size).toBe(3);
  });

  it('takes a body of 6 MB', async () => {
    const work = jest.fn<Work>(async () => response);
    const { handler } = api(options);
    const handle = handler(work);
    const body = 'x'.repeat(6 * 1024 * 1024);
    await handle(event(post('k', { body })), context);
    expect(await handle(event(post('k', { body })), context)).toEqual(replayed);
    const refused = await handle(event(post('k', { body: `${body.slice(1)}y` })), context);
    expect(problem(refused, headersIn)).toMatchObject({ statusCode: 422 });
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('headers that are absent', () => {
  it.each<[string, HttpEvent]>([
    [
      'null, as the console of a REST API sends them',
      { ...restApiEvent(post()), headers: null, multiValueHeaders: null } as never,
    ],
    ['absent', { ...httpApiEvent(post()), headers: undefined } as never],
    ['only single', { ...restApiEvent({}), multiValueHeaders: null } as never],
  ])('%s: there is no key', async (_, event) => {
    const { handler } = api();
    const refused = await handler(() => ({ statusCode: 200 }))(event, context);
    expect(problem(refused)).toMatchObject({ statusCode: 400, code: 'idempotency-key-missing' });
  });

  it('is found among single headers where there are no others', async () => {
    const { handler, items } = api();
    const event = {
      ...restApiEvent(post()),
      multiValueHeaders: null,
      queryStringParameters: { a: undefined },
    };
    await handler(() => ({ statusCode: 200 }))(event, context);
    expect(items.size).toBe(1);
  });

  it('is missing where the header has no value', async () => {
    const event = { ...restApiEvent({}), multiValueHeaders: { 'Idempotency-Key': undefined } };
    const missing = { statusCode: 400, code: 'idempotency-key-missing' };
    expect(problem(await api().handler(() => ({ statusCode: 200 }))(event, context))).toMatchObject(missing);
  });
});

it.each<[string, HttpEvent, HttpEvent]>([
  ['no body', { ...restApiEvent(post()), body: null }, { ...restApiEvent(post()), body: '' }],
  ['no query', { ...httpApiEvent(post()), rawQueryString: undefined as never }, httpApiEvent(post())],
])('a request with %s is the same however the payload says so', async (_, one, other) => {
  const { handler } = api();
  const work = jest.fn<Work>(async () => ({ statusCode: 204 }));
  const handle = handler(work);
  await handle(one, context);
  expect(await handle(other, context)).toMatchObject({ statusCode: 204 });
  expect(work).toHaveBeenCalledTimes(1);
});

describe('payload format 2.0, whose handlers may answer a body only', () => {
  it.each<[unknown, string]>([
    [{ id: 7, ok: true }, '{"id":7,"ok":true}'],
    [['a'], '["a"]'],
    ['done', 'done'],
    [null, 'null'],
    [undefined, 'null'],
    [0, '0'],
  ])('%p becomes a response, first and in replay', async (answer, body) => {
    const { handler } = api();
    const work = jest.fn<Work>(async () => answer);
    const handle = handler(work);
    const headers = { 'content-type': 'application/json' };
    const response = { statusCode: 200, headers, body, isBase64Encoded: false };
    expect(await handle(httpApiEvent(post()), context)).toEqual(response);
    expect(await handle(httpApiEvent(post()), context)).toEqual({
      ...response,
      headers: { ...headers, 'Idempotent-Replayed': 'true' },
    });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('never runs again for a body that JSON cannot say: the error is the one that Lambda would make', async () => {
    const { handler } = api();
    const work = jest.fn<Work>(async () => ({ id: 7n }));
    const handle = handler(work);
    await expect(handle(httpApiEvent(post()), context)).rejects.toThrow(TypeError);
    await expect(handle(httpApiEvent(post()), context)).rejects.toThrow(TypeError);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

it.each([undefined, 'done', { ok: true }])(
  'a REST API’s handler that answers %p, no response, answers it again and does not run again',
  async (answer) => {
    const { handler } = api();
    const work = jest.fn<Work>(async () => answer);
    const handle = handler(work);
    expect(await handle(restApiEvent(post()), context)).toEqual(answer);
    expect(await handle(restApiEvent(post()), context)).toEqual(answer);
    expect(work).toHaveBeenCalledTimes(1);
  },
);

describe('the key', () => {
  it.each([
    'undefined',
    '"null"',
    'order-undefined',
    'x'.repeat(256),
    '',
    '""',
    '"a',
    'a"b',
    '[object Object]',
  ])('%p is refused with 400', async (key) => {
    const { handler, items } = api();
    const refused = await handler(() => ({ statusCode: 200 }))(restApiEvent(post(key)), context);
    expect(problem(refused)).toMatchObject({ statusCode: 400, code: 'idempotency-key-invalid' });
    expect(items.size).toBe(0);
  });

  it('of two headers is refused with 400', async () => {
    const request = post('', { headers: { 'Idempotency-Key': ['"a"', '"b"'] } });
    for (const event of [restApiEvent(request), httpApiEvent(request)]) {
      const refused = await api().handler(() => ({ statusCode: 200 }))(event, context);
      expect(problem(refused)).toMatchObject({ statusCode: 400, code: 'idempotency-key-invalid' });
    }
  });

  it('takes a path of any length', async () => {
    const { handler, items } = api();
    const handle = handler(() => ({ statusCode: 200 }));
    const path = `/${'p'.repeat(8_000)}`;
    await handle(restApiEvent(post('k', { path })), context);
    await handle(restApiEvent(post('k', { path: `${path}q` })), context);
    expect(items.size).toBe(2);
    expect([...items.keys()][0]).toMatch(/^http#principal id=alice#POST#[\w-]{43}#k$/);
  });

  it('together with a caller that is longer than DynamoDB takes is refused with 400', async () => {
    const { handler } = api({ caller: () => 'c'.repeat(2_048) });
    const refused = await handler(() => ({ statusCode: 200 }))(restApiEvent(post()), context);
    expect(problem(refused)).toMatchObject({
      statusCode: 400,
      detail: expect.stringContaining('is too long; the request was not carried out'),
    });
  });
});

describe('a request of nobody', () => {
  const nobody = (request: ClientRequest) => loadBalancerEvent(request);

  it('is an error of the set-up, with the fix', async () => {
    const work = jest.fn(() => ({ statusCode: 200 }));
    const { handler, items } = api();
    const refused = handler(work)(nobody(post()), context);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(/Pass caller: \(event\) => …, or caller: 'anonymous'/);
    expect(work).not.toHaveBeenCalled();
    expect(items.size).toBe(0);
  });

  it('shares a scope with all others where that is asked for', async () => {
    const { handler, items } = api({ caller: 'anonymous' });
    const handle = handler(() => ({ statusCode: 200 }));
    await handle(nobody(post()), context);
    await handle(restApiEvent(post()), context);
    expect([...items.keys()]).toEqual([
      'http#anonymous#POST#/payments#k-1',
      'http#principal id=alice#POST#/payments#k-1',
    ]);
  });

  it.each(['', 'tenant-undefined', 7.5])(
    'is an error of the caller option that answers %p',
    async (answer) => {
      const { handler } = api({ caller: () => answer as string });
      await expect(handler(() => ({ statusCode: 200 }))(nobody(post()), context)).rejects.toThrow(
        InvalidKeyError,
      );
    },
  );

  it('is an error of the caller option that answers nothing', async () => {
    const { handler } = api({ caller: () => undefined as never });
    await expect(handler(() => ({ statusCode: 200 }))(nobody(post()), context)).rejects.toThrow(
      ConfigurationError,
    );
  });
});

describe('what the work throws', () => {
  it.each([new Error('declined'), new StillInProgressError(7), undefined])(
    'reaches Lambda as it is, and the key is free again: %p',
    async (thrown) => {
      const { handler, items } = api();
      const outcome = handler(() => Promise.reject(thrown))(restApiEvent(post()), context);
      await expect(outcome).rejects.toBe(thrown);
      expect(items.size).toBe(0);
    },
  );

  it('is no concern of a safe method either', async () => {
    const thrown = new Error('not found');
    const { handler } = api();
    const work = () => {
      throw thrown;
    };
    await expect(handler(work)(restApiEvent({ method: 'GET' }), context)).rejects.toBe(thrown);
  });
});

describe('when something fails', () => {
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });

  it('a table that does not answer means 503, no run, and a warning that says why', async () => {
    const work = jest.fn(() => ({ statusCode: 200 }));
    const { handler } = api({}, { update: () => Promise.reject(denied) });
    const refused = await handler(work)(httpApiEvent(post()), context);
    expect(problem(refused)).toEqual({
      statusCode: 503,
      retryAfter: '1',
      title: 'Service Unavailable',
      status: 503,
      code: 'temporarily-unavailable',
      detail: expect.stringContaining('Retry it later, with the same Idempotency-Key'),
    });
    expect(JSON.stringify(refused)).not.toContain('idempotency table');
    expect(work).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledWith(expect.stringMatching(/AccessDeniedException.*was not run/), {
      type: 'IdempotencyWarning',
      code: 'IDEMPOTENCY_STORE',
    });
  });

  it('a completion that is not recorded means 503, too: a retry is answered by the lock, then runs again', async () => {
    let writes = 0;
    const { handler, memory } = api(
      {},
      { update: (input) => (++writes === 2 ? Promise.reject(denied) : memory.update(input)) },
    );
    const handle = handler(() => ({ statusCode: 201 }));
    expect(problem(await handle(restApiEvent(post()), context))).toMatchObject({ statusCode: 503 });
    expect(warned).toHaveBeenCalledWith(expect.stringMatching(/The work ran, but/), expect.anything());
    expect(problem(await handle(restApiEvent(post()), context))).toMatchObject({ statusCode: 409 });
  });

  it('a lock that was lost to another run means 503, and a retry gets that one’s answer', async () => {
    const { handler, clock } = api();
    let finish = (_: unknown) => {};
    const slow = handler(() => new Promise((resolve) => (finish = resolve)))(restApiEvent(post()), context);
    await clock.advance(60_000);
    let finishSecond = (_: unknown) => {};
    const second = handler(() => new Promise((resolve) => (finishSecond = resolve)))(
      restApiEvent(post()),
      context,
    );
    await clock.advance(0);
    finish({ statusCode: 201, body: 'first' });
    expect(problem(await slow)).toMatchObject({ statusCode: 503, retryAfter: '1' });
    finishSecond({ statusCode: 201, body: 'second' });
    await second;
    expect(await handler(() => ({ statusCode: 200 }))(restApiEvent(post()), context)).toMatchObject({
      body: 'second',
    });
  });

  it('a response too large to be stored reaches the first client; a repetition is told so, and nothing runs again', async () => {
    const work = jest.fn<Work>(async () => ({ statusCode: 200, body: large }));
    const large = randomBytes(1024 * 1024).toString('base64');
    const { handler } = api();
    const handle = handler(work);
    expect(await handle(restApiEvent(post()), context)).toEqual({ statusCode: 200, body: large });
    const replay = await handle(restApiEvent(post()), context);
    expect(problem(replay)).toMatchObject({
      statusCode: 500,
      code: 'answer-unavailable',
      detail: expect.stringContaining('was carried out and will not be again'),
    });
    expect(warned).toHaveBeenLastCalledWith(expect.stringMatching(/its result is not stored/), {
      type: 'IdempotencyWarning',
      code: 'IDEMPOTENCY_RESULT_UNAVAILABLE',
    });
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('a run that died is not repeated where so asked, but told as unknown', async () => {
    const { handler, clock } = api({ onOrphan: 'fail' });
    void handler(never)(restApiEvent(post()), context);
    await clock.advance(60_000);
    const work = jest.fn(() => ({ statusCode: 200 }));
    expect(problem(await handler(work)(restApiEvent(post()), context))).toMatchObject({
      statusCode: 500,
      code: 'outcome-unknown',
      detail: expect.stringContaining('may have had its effect'),
    });
    expect(warned).toHaveBeenCalledWith(
      expect.anything(),
      expect.objectContaining({ code: 'IDEMPOTENCY_ORPHANED' }),
    );
    expect(work).not.toHaveBeenCalled();
  });

  it('what is found out about a run that died is a replay', async () => {
    const { handler, clock } = api({ onOrphan: () => ({ result: { id: 7 } }) });
    void handler(never)(httpApiEvent(post()), context);
    await clock.advance(60_000);
    const answer = await handler(never)(httpApiEvent(post()), context);
    expect(answer).toMatchObject({
      statusCode: 200,
      body: '{"id":7}',
      headers: { 'Idempotent-Replayed': 'true' },
    });
  });

  it('a write of the work’s own that is refused is an error for Lambda', async () => {
    const { handler } = api();
    const work = (_: unknown, __: unknown, run?: Run) => {
      run?.commit({
        Put: { TableName: 'orders', Item: { pk: '1' }, ConditionExpression: 'attribute_exists(pk)' },
      });
      return { statusCode: 201 };
    };
    await expect(handler(work)(restApiEvent(post()), context)).rejects.toMatchObject({
      code: 'COMMIT_REFUSED',
    });
  });

  it('a wrong option of the call is an error for Lambda, too', async () => {
    const { handler } = api({ lockSeconds: Number.NaN });
    await expect(handler(never)(restApiEvent(post()), context)).rejects.toThrow(ConfigurationError);
  });

  it('names the API’s own page of problems where it has one', async () => {
    const { handler } = api({ documentation: 'https://shop.example.com/problems' });
    expect(problem(await handler(never)(restApiEvent({}), context))).toMatchObject({
      type: 'https://shop.example.com/problems#idempotency-key-missing',
      title: 'Bad Request',
    });
  });
});

describe('options', () => {
  it('are passed on to the call', async () => {
    const { handler, items, clock } = api({
      lockSeconds: 5,
      keepForSeconds: 600,
      whenInProgress: 'wait',
      waitSeconds: 3,
    });
    let finish = (_: unknown) => {};
    const first = handler(() => new Promise((resolve) => (finish = resolve)))(restApiEvent(post()), context);
    const second = handler(never)(restApiEvent(post()), context);
    await clock.advance(1_000);
    expect([...items.values()][0]?.expiresAt).toBe(Date.UTC(2027, 0, 15) / 1000 + 5);
    finish({ statusCode: 201 });
    await clock.advance(1_000);
    expect(await first).toEqual({ statusCode: 201 });
    expect(await second).toEqual({ statusCode: 201, headers: { 'Idempotent-Replayed': 'true' } });
    expect([...items.values()][0]?.expiresAt).toBe(Date.UTC(2027, 0, 15) / 1000 + 1 + 600);
  });

  it('let the function say which responses are stored', async () => {
    const shouldStore = (response: unknown) => (response as HttpResponse).statusCode !== 429;
    const { handler, items } = api({ shouldStore });
    expect(await handler(() => ({ statusCode: 429 }))(httpApiEvent(post()), context)).toEqual({
      statusCode: 429,
    });
    expect(items.size).toBe(0);
    await handler(() => ({ statusCode: 500 }))(httpApiEvent(post()), context);
    expect(await handler(never)(httpApiEvent(post()), context)).toMatchObject({ statusCode: 500 });
  });

  it('a shouldStore that throws costs no second run', async () => {
    const { handler, items } = api({
      shouldStore: () => {
        throw new TypeError('secret');
      },
    });
    expect(await handler(() => ({ statusCode: 201 }))(restApiEvent(post()), context)).toEqual({
      statusCode: 201,
    });
    expect([...items.values()][0]?.status).toBe('COMPLETED');
    expect(warned).toHaveBeenCalledWith(
      expect.stringMatching(/^(?!.*secret).*shouldStore threw TypeError/),
      expect.objectContaining({ code: 'IDEMPOTENCY_STORED_UNJUDGED' }),
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /takes an object/],
    ['text', 'k-1', /takes an object/],
    [
      'a misspelt name',
      { keyRequird: true },
      /httpHandler has no option keyRequird. Its options are runOnce, caller, /,
    ],
    ['an option of runOnce that is decided here', { fingerprint: 1 }, /no option fingerprint/],
    ['a caller', { caller: 'nobody' }, /wrong caller\. Pass \(event\) => … or 'anonymous'\./],
    ['keyRequired', { keyRequired: 'no' }, /wrong keyRequired\. Pass true or false\./],
    ['shouldStore', { shouldStore: 500 }, /wrong shouldStore/],
    ['documentation', { documentation: new URL('https://shop.example.com') }, /wrong documentation/],
    ['runOnce', { runOnce: {} }, /wrong runOnce\. Pass what createRunOnce returns\./],
  ])('refuses %s when the handler is made', (_, options, message) => {
    const make = () => httpHandler(options as Options, never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  it('refuses work that is no function', () => {
    expect(() => httpHandler({}, {} as never)).toThrow(
      /wrong work\. Pass \(event, context, run\) => response\./,
    );
  });

  it('uses the runOnce of the environment where none is given', async () => {
    const handle = httpHandler({}, never);
    await expect(handle(restApiEvent(post()), context)).rejects.toThrow(/Set IDEMPOTENCY_TABLE/);
  });
});

describe('an event that is no HTTP request', () => {
  const { headers: _, ...noPath } = httpApiEvent(post());
  it.each<[string, unknown]>([
    ['of a queue', { Records: [{ body: '{}' }] }],
    ['without a method', { path: '/', requestContext: { http: { path: '/' } }, rawPath: '/' }],
    ['of a direct call', { httpMethod: 'POST' }],
    [
      'of a WebSocket',
      { requestContext: { routeKey: 'send', eventType: 'MESSAGE', connectionId: 'x' }, body: '{}' },
    ],
    ['without a path', { ...noPath, rawPath: undefined }],
    ['that is null', null],
    ['that is absent', undefined],
    ['that is text', 'POST /'],
  ])('%s is an error with the fix, and nothing runs', async (_, event) => {
    const work = jest.fn(() => ({ statusCode: 200 }));
    const { handler, items } = api();
    const outcome = handler(work)(event as HttpEvent, context);
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(
      /no HTTP request .* neither httpMethod and path nor .* Attach it to one of them/,
    );
    expect(work).not.toHaveBeenCalled();
    expect(items.size).toBe(0);
  });

  it('has a body that is no text', async () => {
    const event = { ...restApiEvent(post()), body: { amount: 5 } as never };
    await expect(api().handler(never)(event, context)).rejects.toThrow(/its body is of type object/);
  });

  it('takes an event of the four shapes that lacks all it can lack', async () => {
    const handle = api({ caller: 'anonymous' }).handler(() => ({ statusCode: 204 }));
    const bare = { httpMethod: 'POST', path: '/', headers: { 'idempotency-key': 'k' } } as never;
    expect(await handle(bare, context)).toEqual({ statusCode: 204 });
    const bareV2 = {
      requestContext: { http: { method: 'PUT' } },
      rawPath: '/',
      headers: { 'idempotency-key': 'k' },
    };
    expect(await handle(bareV2 as never, context)).toEqual({ statusCode: 204 });
  });
});
