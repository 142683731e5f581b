import { Readable } from 'node:stream';
import { HttpResponse } from '@smithy/core/protocols';
import { answerOf } from '../../../layer/client/answer-of';
import { requestBody } from '../../../layer/client/request-body';
import { createSkew } from '../../../layer/client/skew';
import { traceHeaders } from '../../../layer/client/trace';
import { userAgentOf } from '../../../layer/client/user-agent';

const response = (statusCode: number, body: string, headers: Record<string, string> = {}) =>
  new HttpResponse({ statusCode, headers, body: Readable.from([Buffer.from(body)]) });

describe('a request body', () => {
  it('has bytes in base64, of whatever class they are', () => {
    const bytes = new Uint8Array([1, 2, 255]);
    const values = { a: { B: bytes }, b: { B: Buffer.from(bytes) }, c: { BS: [bytes] }, d: { S: 'é' } };
    expect(JSON.parse(requestBody(values))).toEqual({
      a: { B: 'AQL/' },
      b: { B: 'AQL/' },
      c: { BS: ['AQL/'] },
      d: { S: 'é' },
    });
  });
});

describe('an answer', () => {
  it('is what was sent, with its metadata', async () => {
    expect(await answerOf(response(200, '{"Item":{}}', { 'x-amzn-requestid': 'r' }))).toEqual({
      Item: {},
      $metadata: { httpStatusCode: 200, requestId: 'r' },
    });
    expect(await answerOf(response(200, ''))).toEqual({ $metadata: { httpStatusCode: 200 } });
  });

  it('is put together where a character came in two parts', async () => {
    const bytes = Buffer.from('{"Item":{"pk":{"S":"é"}}}');
    const cut = bytes.indexOf('é') + 1;
    const body = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
    expect(await answerOf(new HttpResponse({ statusCode: 200, body }))).toMatchObject({
      Item: { pk: { S: 'é' } },
    });
  });

  it('that is not whole is an error which is tried again', async () => {
    const body = new Readable({ read() {} });
    const answer = answerOf(new HttpResponse({ statusCode: 200, body }));
    body.destroy();
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  const failure = async (status: number, body: string) =>
    answerOf(response(status, body)).then(
      () => undefined,
      (error) => error,
    );

  it('is DynamoDB’s error by its name, with the record that stood in the way', async () => {
    const error = await failure(
      400,
      '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"m","Item":{"pk":{"S":"k"}}}',
    );
    expect(error).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'm',
      $fault: 'client',
      Item: { pk: { S: 'k' } },
      $metadata: { httpStatusCode: 400 },
    });
    expect(error.$response.statusCode).toBe(400);
    expect(Object.keys(error)).not.toContain('$response');
  });

  it('is that a transaction was cancelled, with the reasons', async () => {
    expect(
      await failure(
        400,
        '{"__type":"a#TransactionCanceledException","Message":"M","CancellationReasons":[{}]}',
      ),
    ).toMatchObject({ name: 'TransactionCanceledException', message: 'M', CancellationReasons: [{}] });
  });

  it('tells the retries of the one error that only its model says is passing', async () => {
    expect(await failure(400, '{"__type":"a#ReplicatedWriteConflictException"}')).toMatchObject({
      $retryable: {},
    });
    expect(await failure(400, '{"__type":"a#ValidationException"}')).not.toHaveProperty('$retryable');
  });

  it('is an error without a name by its status', async () => {
    expect(await failure(503, '{}')).toMatchObject({
      name: 'Unknown',
      message: 'HTTP 503',
      $fault: 'server',
    });
    expect(await failure(502, '<html>')).toMatchObject({
      name: 'SyntaxError',
      $metadata: { httpStatusCode: 502 },
    });
  });
});

describe('the clock', () => {
  const at = (milliseconds: number) =>
    response(400, '', { date: new Date(Date.now() + milliseconds).toUTCString() });
  const refused = () => Promise.reject(Object.assign(new Error('refused'), { $metadata: {} }));

  it('follows AWS’s where the two are far apart, and has that tried again', async () => {
    const skew = createSkew();
    const signedAt = skew.now();
    for (const _request of ['the first of two that were sent at once', 'the second'])
      await expect(skew.learn(at(3_600_000), refused(), signedAt)).rejects.toMatchObject({
        $metadata: { clockSkewCorrected: true },
      });
    expect(Math.abs(skew.now().getTime() - Date.now() - 3_600_000)).toBeLessThan(2000);
    await expect(skew.learn(at(3_600_000), refused(), skew.now())).rejects.toMatchObject({
      $metadata: { clockSkewCorrected: false },
    });
  });

  it.each([60_000, -60_000])(
    'is left alone where it is %d ms off, or nothing tells',
    async (milliseconds) => {
      const skew = createSkew();
      await skew.learn(at(milliseconds), Promise.resolve(), skew.now());
      await skew.learn(response(200, ''), Promise.resolve(), skew.now());
      expect(Math.abs(skew.now().getTime() - Date.now())).toBeLessThan(1000);
    },
  );
});

describe('the trace', () => {
  const environment = { ...process.env };
  const global = globalThis as { awslambda?: object };
  afterEach(() => {
    process.env = { ...environment };
    delete global.awslambda;
  });

  it('is the environment’s, in Lambda only', () => {
    process.env._X_AMZN_TRACE_ID = 'Root=1';
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
    expect(traceHeaders()).toEqual({});
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'f';
    expect(traceHeaders()).toEqual({ 'x-amzn-trace-id': 'Root=1' });
  });

  it('is that of the invocation, where several share a process', () => {
    process.env._X_AMZN_TRACE_ID = 'Root=1';
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'f';
    global.awslambda = {
      InvokeStore: {
        getXRayTraceId: () => 'Root=2',
        getTraceparent: () => '00-1',
        getTracestate: () => 's',
        getBaggage: () => 'b',
      },
    };
    expect(traceHeaders()).toEqual({
      'x-amzn-trace-id': 'Root=2',
      traceparent: '00-1',
      tracestate: 's',
      baggage: 'b',
    });
    global.awslambda = { InvokeStore: {} };
    expect(traceHeaders()).toEqual({ 'x-amzn-trace-id': 'Root=1' });
    global.awslambda = { InvokeStore: { getTraceparent: () => '00-1' } };
    expect(traceHeaders()).toEqual({ 'x-amzn-trace-id': 'Root=1', traceparent: '00-1' });
  });
});

it('names the runtime and the application, in what a header may hold', () => {
  expect(userAgentOf({})).toBe(`terraform-aws-idempotency lang/js md/nodejs#${process.versions.node}`);
  expect(userAgentOf({ AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_SDK_UA_APP_ID: 'my app\n' })).toMatch(
    / exec-env\/AWS_Lambda_nodejs22.x app\/my-app-$/,
  );
});
