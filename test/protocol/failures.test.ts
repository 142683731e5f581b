/**
 * What goes wrong between a function and its table, by the layer's own client over real connections.
 *
 * @jest-environment ./test/protocol/outer-errors-environment.mjs
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { createRunOnce, runOnce as ofTheEnvironment } from '../../layer/create-run-once';
import { ConfigurationError, StoreError } from '../../layer/errors';
import type { RunOnce } from '../../layer/run-once';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { type Fate, startFaultyProxy } from '../../scripts/faulty-proxy';
import { tableUnderTest } from './create-table';

/** `silence`: accepted, and never answered. `reset`: the connection breaks when the request is there. */
type Answer = { status: number; body: string; type?: string } | 'silence' | 'reset';

const OK: Answer = { status: 200, body: '{}' };

/** As DynamoDB puts an error. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const awsError = (name: string, status = 400): Answer => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'as AWS puts it' }),
});

/** The SDK tries three times in all; what has not gone well by then is left to the function's caller. */
const ATTEMPTS = 3;

let server: Server;
let answers: (n: number) => Answer;
let operations: string[];
let connections: Set<Socket>;

const environment = { ...process.env };

beforeEach(async () => {
  answers = () => OK;
  operations = [];
  connections = new Set();
  server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] as string;
    const answer = answers(operations.push(operation) - 1);
    await ended(request);
    if (answer === 'reset') request.socket.resetAndDestroy();
    else if (answer !== 'silence') {
      response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/x-amz-json-1.0' });
      response.end(answer.body);
    }
  });
  server.on('connection', (socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env = {
    ...environment,
    AWS_ENDPOINT_URL: endpointOf(server),
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/none',
    AWS_SHARED_CREDENTIALS_FILE: '/none',
    IDEMPOTENCY_TABLE: 'orders',
  };
});

afterEach(() => {
  process.env = environment;
  server.closeAllConnections();
  server.close();
});

function endpointOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ended(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}

/** Of a Lambda invocation that started now. */
function context(milliseconds: number) {
  const end = Date.now() + milliseconds;
  return { getRemainingTimeInMillis: () => end - Date.now() };
}

async function failureOf(outcome: Promise<unknown>): Promise<StoreError> {
  const error = await outcome.then(
    () => undefined,
    (error) => error,
  );
  expect(error).toBeInstanceOf(StoreError);
  return error;
}

const THROTTLED = /the table is throttled\. Let the caller retry; raise its throughput limit/;
const OUTAGE = /DynamoDB failed on its side\. Let the caller retry\./;
const CREDENTIALS = /the credentials are missing, expired or invalid\. In Lambda they come with the role/;
const html = (status: number): Answer => ({ status, body: '<html>Sorry</html>', type: 'text/html' });

describe('a claim that fails says why and what to do, and the work does not run', () => {
  it.each<[string, Answer, number, RegExp]>([
    [
      'ProvisionedThroughputExceededException',
      awsError('ProvisionedThroughputExceededException'),
      ATTEMPTS,
      THROTTLED,
    ],
    ['ThrottlingException', awsError('ThrottlingException'), ATTEMPTS, THROTTLED],
    ['RequestLimitExceeded', awsError('RequestLimitExceeded'), ATTEMPTS, THROTTLED],
    ['InternalServerError', awsError('InternalServerError', 500), ATTEMPTS, OUTAGE],
    ['ServiceUnavailable', awsError('ServiceUnavailable', 503), ATTEMPTS, OUTAGE],
    ['HTTP 500', awsError('InternalFailure', 500), ATTEMPTS, OUTAGE],
    ['HTTP 500', { status: 500, body: '' }, ATTEMPTS, OUTAGE],
    ['HTTP 502', html(502), ATTEMPTS, OUTAGE],
    ['HTTP 503', html(503), ATTEMPTS, OUTAGE],
    ['SyntaxError', html(403), 1, /what answered is not DynamoDB\. Check AWS_ENDPOINT_URL/],
    [
      'ETIMEDOUT',
      'silence',
      ATTEMPTS,
      /DynamoDB did not answer in time\. In a VPC, check the gateway endpoint/,
    ],
    ['ECONNRESET', 'reset', ATTEMPTS, /no connection to DynamoDB\. In a VPC, add a gateway endpoint/],
    ['ExpiredTokenException', awsError('ExpiredTokenException'), 1, CREDENTIALS],
    ['UnrecognizedClientException', awsError('UnrecognizedClientException'), 1, CREDENTIALS],
    ['InvalidSignatureException', awsError('InvalidSignatureException'), 1, CREDENTIALS],
    ['IncompleteSignatureException', awsError('IncompleteSignatureException'), 1, CREDENTIALS],
    ['MissingAuthenticationTokenException', awsError('MissingAuthenticationTokenException'), 1, CREDENTIALS],
    [
      'ResourceNotFoundException',
      awsError('ResourceNotFoundException'),
      1,
      /the table does not exist .* Check IDEMPOTENCY_TABLE .* and the region\./,
    ],
    [
      'AccessDeniedException',
      awsError('AccessDeniedException'),
      1,
      /the role may not use the table\. Attach the module’s policy/,
    ],
    ['ValidationException', awsError('ValidationException'), 1, /as AWS puts it\./],
  ])('%s', async (id, answer, attempts, causeAndFix) => {
    answers = () => answer;
    const work = jest.fn();
    const { message, retryable } = await failureOf(createRunOnce()('order#1', 30, work));
    expect(message).toMatch(
      new RegExp(
        `^Could not claim the record in table orders: ${id}: ${causeAndFix.source}.*The work was not run\\.$`,
      ),
    );
    expect(retryable).toBe(attempts === ATTEMPTS);
    expect(work).not.toHaveBeenCalled();
    expect(operations).toEqual(Array(attempts).fill('UpdateItem'));
  });

  it('connection refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    process.env.AWS_ENDPOINT_URL = endpointOf(closed);
    closed.close();
    const work = jest.fn();
    const { message, cause } = await failureOf(createRunOnce()('order#1', 30, work));
    expect(message).toMatch(
      /: ECONNREFUSED: no connection to DynamoDB\. In a VPC, add .* The work was not run\.$/,
    );
    expect((cause as { $metadata: { attempts: number } }).$metadata.attempts).toBeLessThanOrEqual(ATTEMPTS);
    expect(work).not.toHaveBeenCalled();
  });

  it.each<[string, string[], RegExp]>([
    ['credentials', ['AWS_ACCESS_KEY_ID'], CREDENTIALS],
    ['region', ['AWS_REGION', 'AWS_DEFAULT_REGION'], /: Region is missing: set AWS_REGION/],
  ])('missing %s', async (_, variables, causeAndFix) => {
    for (const variable of variables) delete process.env[variable];
    const work = jest.fn();
    const { message, retryable } = await failureOf(createRunOnce()('order#1', 30, work));
    expect(message).toMatch(causeAndFix);
    expect(message).toMatch(/The work was not run\.$/);
    expect(retryable).toBe(false);
    expect(work).not.toHaveBeenCalled();
    expect(operations).toEqual([]);
  });

  it('missing variable', async () => {
    delete process.env.IDEMPOTENCY_TABLE;
    const work = jest.fn();
    const outcome = ofTheEnvironment('order#1', 30, work);
    await expect(outcome).rejects.toThrow(ConfigurationError);
    await expect(outcome).rejects.toThrow(/^No table is named\. Set IDEMPOTENCY_TABLE, .*environment/);
    expect(work).not.toHaveBeenCalled();
    expect(operations).toEqual([]);
  });
});

describe('with a context, the call fails before the invocation ends', () => {
  const troubles: [string, Answer][] = [
    ['silence', 'silence'],
    ['throttling', awsError('ThrottlingException')],
    ['an outage', awsError('InternalServerError', 500)],
    ['resets', 'reset'],
  ];

  it.each(troubles)('at the claim: %s', async (_, answer) => {
    answers = () => answer;
    const invocation = context(1_700);
    const work = jest.fn();
    await failureOf(createRunOnce()('order#1', { context: invocation }, work));
    expect(invocation.getRemainingTimeInMillis()).toBeGreaterThan(0);
    expect(operations.length).toBeLessThanOrEqual(ATTEMPTS);
    expect(work).not.toHaveBeenCalled();
  });

  it.each(troubles)(
    'at the completion, which is tried for as long as there is time: %s',
    async (_, answer) => {
      answers = (n) => (n === 0 ? OK : answer);
      const invocation = context(3_000);
      const work = jest.fn();
      await failureOf(createRunOnce()('order#1', { context: invocation }, work));
      expect(invocation.getRemainingTimeInMillis()).toBeGreaterThan(0);
      expect(work).toHaveBeenCalledTimes(1);
      // Delays double: even tries that fail at once stay few.
      expect(operations.length).toBeLessThanOrEqual(1 + 8 * ATTEMPTS);
    },
  );
});

describe('nothing is retried around the work', () => {
  it.each([
    ['ThrottlingException', { $retryable: { throttling: true } }],
    ['TimeoutError', { code: 'ETIMEDOUT' }],
    ['ConditionalCheckFailedException', { $metadata: { httpStatusCode: 400 } }],
    ['InternalServerError', { $metadata: { httpStatusCode: 500 }, $retryable: {} }],
  ])('the work’s own %s', async (name, marks) => {
    const error = Object.assign(new Error('of the work'), { name, ...marks });
    const work = jest.fn(() => Promise.reject(error));
    await expect(createRunOnce()('order#1', 30, work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toEqual(['UpdateItem', 'DeleteItem']);
  });

  it('a failure of the table within the work', async () => {
    const runOnce = createRunOnce();
    answers = (n) => (n === 1 ? awsError('AccessDeniedException') : OK);
    const work = jest.fn(() => runOnce('inner', 30, () => 'inner'));
    await failureOf(runOnce('outer', 30, work));
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toEqual(['UpdateItem', 'UpdateItem', 'DeleteItem']);
  });

  it('a completion that is refused for good', async () => {
    answers = (n) => (n === 0 ? OK : awsError('AccessDeniedException'));
    const work = jest.fn();
    const { message } = await failureOf(createRunOnce()('order#1', 30, work));
    expect(message).toMatch(
      /^Could not complete the record in table orders: AccessDeniedException: the role may not use the table\. .* The work ran, but its completion is not known to be recorded: if it is not, a retry runs it again once its lock has ended\.$/,
    );
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toEqual(['UpdateItem', 'UpdateItem']);
  });

  it('a completion that succeeds once the table is back, after more than one request’s attempts', async () => {
    answers = (n) => (n >= 1 && n <= ATTEMPTS + 1 ? html(503) : OK);
    const work = jest.fn(() => 'sent');
    await expect(createRunOnce()('order#1', 30, work)).resolves.toBe('sent');
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toHaveLength(1 + ATTEMPTS + 2);
  });

  it('a release that fails: the work’s own error is thrown, and a warning tells of the record', async () => {
    const error = new Error('card declined');
    answers = (n) => (n === 0 ? OK : awsError('InternalServerError', 500));
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const work = jest.fn(() => Promise.reject(error));
    await expect(createRunOnce()('order#1', 30, work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
    // Tried again for three seconds at the most, in which the caller waits for the error.
    expect(operations.length).toBeGreaterThan(ATTEMPTS);
    expect(new Set(operations.slice(1))).toEqual(new Set(['DeleteItem']));
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/InternalServerError: DynamoDB .* The record stays until its lock has ended\.$/),
      expect.objectContaining({ code: 'IDEMPOTENCY_NOT_RELEASED' }),
    );
    warn.mockRestore();
  });
});

describe('a connection that was fine and is broken when a frozen function thaws', () => {
  let runOnce: RunOnce;

  beforeEach(async () => {
    runOnce = createRunOnce();
    await runOnce('order#1', 30, () => 'first');
    expect(connections.size).toBe(1);
  });

  it('reset by the next request', async () => {
    answers = (n) => (n === 2 ? 'reset' : OK);
    const work = jest.fn(() => 'second');
    await expect(runOnce('order#2', 30, work)).resolves.toBe('second');
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toHaveLength(2 + 3);
    expect(connections.size).toBe(2);
  });

  it('reset before the function could notice', async () => {
    for (const socket of connections) socket.resetAndDestroy();
    const work = jest.fn(() => 'second');
    await expect(runOnce('order#2', 30, work)).resolves.toBe('second');
    expect(work).toHaveBeenCalledTimes(1);
    expect(operations).toHaveLength(2 + 2);
    expect(connections.size).toBe(2);
  });

  it('reset at the completion', async () => {
    answers = (n) => (n === 3 ? 'reset' : OK);
    const work = jest.fn(() => 'second');
    await expect(runOnce('order#2', 30, work)).resolves.toBe('second');
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('R14: a response that is lost after the write had its effect', () => {
  let emulator: Emulator;
  let client: DynamoDBClient;
  let under: Awaited<ReturnType<typeof tableUnderTest>>;

  beforeAll(async () => {
    emulator = await startEmulator();
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
    under = await tableUnderTest(client, 'lost-responses', undefined as never);
  });

  afterAll(async () => {
    client.destroy();
    await emulator.stop();
  });

  it.each<[string, (n: number) => Fate]>([
    ['of the claim', (n) => (n === 0 ? 'lost-response' : 'answered')],
    ['of the completion', (n) => (n === 1 ? 'lost-response' : 'answered')],
    ['of both', (n) => (n % 2 === 0 ? 'lost-response' : 'answered')],
    ['of each, twice', (n) => (n % 3 !== 2 ? 'lost-response' : 'answered')],
  ])('%s: the work runs once, now, and its writes are committed once', async (title, fateOf) => {
    const proxy = await startFaultyProxy(emulator.endpoint, fateOf);
    try {
      Object.assign(process.env, emulator.env, { AWS_ENDPOINT_URL: proxy.endpoint });
      const runOnce = createRunOnce({ tableName: 'lost-responses' });
      const key = `order of ${title}`;
      const work = jest.fn((run: Parameters<Parameters<RunOnce>[2]>[0]) => {
        run.commit({
          Update: {
            TableName: 'lost-responses-effects',
            Key: { pk: key },
            UpdateExpression: 'ADD #count :one',
            ExpressionAttributeNames: { '#count': 'count' },
            ExpressionAttributeValues: { ':one': 1 },
          },
        });
        return run.attempt;
      });
      await expect(runOnce(key, 30, work)).resolves.toBe(1);
      expect(work).toHaveBeenCalledTimes(1);
      expect(await under.effects?.read(key)).toEqual({ pk: key, count: 1 });
      expect(await under.read(key)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
      expect(proxy.counts['lost-response']).toBeGreaterThan(0);
    } finally {
      await proxy.stop();
    }
  });
});

describe('with a silent table, the call still ends in time', () => {
  it('at the release, by the work’s own error', async () => {
    answers = (n) => (n === 0 ? OK : 'silence');
    const invocation = context(1_700);
    const error = new Error('card declined');
    const outcome = createRunOnce()('order#1', { context: invocation }, () => Promise.reject(error));
    await expect(outcome).rejects.toBe(error);
    expect(invocation.getRemainingTimeInMillis()).toBeGreaterThan(0);
  });
  it('at the claim, with little time left', async () => {
    answers = () => 'silence';
    const invocation = context(800);
    const e = await failureOf(createRunOnce()('order#1', { context: invocation }, () => 1));
    expect(e.message).toMatch(/The work was not run/);
    expect(invocation.getRemainingTimeInMillis()).toBeGreaterThan(0);
  });
  it('with a beat under way', async () => {
    answers = (n) => (n === 1 ? 'silence' : OK);
    const invocation = context(2_600);
    await createRunOnce()(
      'order#1',
      { context: invocation, heartbeat: true },
      () => new Promise((r) => setTimeout(r, 1300)),
    );
    expect(invocation.getRemainingTimeInMillis()).toBeGreaterThan(0);
  });
});
