import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from '../../../layer/bundled-client';

/** An answer whose connection breaks in the middle. */
const CUT = {};

const environment = { ...process.env };
let server: Server;
let received: { headers: IncomingMessage['headers']; body: string }[];
let answers: { status: number; body: object }[];

beforeEach(async () => {
  received = [];
  answers = [];
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const { status, body } = answers.shift() ?? { status: 200, body: {} };
    if (body === CUT) {
      response.writeHead(status, { 'content-length': 10 }).write('{');
      setTimeout(() => request.socket.destroy(), 10);
      return;
    }
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  process.env = environment;
});

it.each([
  ['updateItem', 'UpdateItem'],
  ['deleteItem', 'DeleteItem'],
  ['getItem', 'GetItem'],
  ['transactWriteItems', 'TransactWriteItems'],
] as const)('sends %s, signed, as DynamoDB takes it', async (method, name) => {
  answers = [{ status: 200, body: { Item: { pk: { S: 'k' } } } }];
  const input = { Key: { pk: { S: 'é' }, b: { B: new Uint8Array([1]) } } };
  expect(await createClient()[method](input, {})).toMatchObject({ Item: { pk: { S: 'k' } } });
  const [request] = received as [{ headers: IncomingMessage['headers']; body: string }];
  expect(JSON.parse(request.body)).toEqual({ Key: { pk: { S: 'é' }, b: { B: 'AQ==' } } });
  expect(request.headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(Buffer.byteLength(request.body)),
    'x-amz-target': `DynamoDB_20120810.${name}`,
    'user-agent': expect.stringMatching(/^terraform-aws-idempotency /),
    authorization: expect.stringMatching(/Credential=id\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /),
    'amz-sdk-request': 'attempt=1; max=3',
  });
});

it('tries what passes again, three times in all, over one connection', async () => {
  const throttled = { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' } };
  answers = [throttled, throttled];
  const { getItem } = createClient();
  await getItem({}, {});
  expect(received.map(({ headers }) => headers['amz-sdk-request'])).toEqual([
    'attempt=1; max=3',
    'attempt=2; max=3',
    'attempt=3; max=3',
  ]);
  expect(new Set(received.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
  answers = [throttled, throttled, throttled];
  await expect(getItem({}, {})).rejects.toMatchObject({ name: 'ThrottlingException' });
});

it('asks again where the connection broke in the middle of an answer', async () => {
  answers = [{ status: 200, body: CUT }];
  await createClient().getItem({}, {});
  expect(received).toHaveLength(2);
});

it('ends its tries with the signal', async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(createClient().getItem({}, { abortSignal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(received).toEqual([]);
});

it('needs a region, and goes to the endpoint’s usual port', async () => {
  delete process.env.AWS_REGION;
  await expect(createClient().getItem({}, {})).rejects.toThrow('Region is missing');
  process.env.AWS_REGION = 'eu-west-1';
  process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1';
  await expect(createClient().getItem({}, {})).rejects.toThrow('ECONNREFUSED 127.0.0.1:80');
});
