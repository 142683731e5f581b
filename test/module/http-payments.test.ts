import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

interface Outputs {
  example: { url: string; ledger_table_name: string };
  access_keys: Record<Caller, string>;
}

type Caller = 'bakery' | 'florist';

// Provider and emulator are real.
jest.setTimeout(10 * 60_000);

// Long enough for a second request to find the first one at work, also where its function must start first.
const CHARGE_SECONDS = 5;

let emulator: Emulator;
let folder: string;
let deployed: Outputs;
let dynamodb: DynamoDBClient;
const env = () => ({ env: emulator.env });

// The life of one deployment: each step goes on from the one before.

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  dynamodb = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  folder = workspace('http-payments');
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(root));
  await terraform(folder, ['init']);
});

afterAll(async () => {
  dynamodb.destroy();
  await emulator.stop();
  remove(folder);
});

it('is applied at once, and has nothing to change after that', async () => {
  await terraform(folder, ['apply', '-auto-approve'], env());
  deployed = await outputs<Outputs>(folder, env());
  expect(await planHasChanges(folder, [], env())).toBe(false);
});

it('charges once, and answers a repetition with the whole first response', async () => {
  const first = await pay({ order: 'once', key: '"once"' });
  expect(first).toMatchObject({ status: 201, body: { order: 'once', amount: 1250, currency: 'EUR' } });
  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    location: `/payments/${first.body.id}`,
  });
  expect(first.headers).not.toHaveProperty('idempotent-replayed');

  const second = await pay({ order: 'once', key: '"once"' });
  expect(second).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
  expect(await charges('once')).toEqual([first.body.id]);
});

it('refuses a payment without a key, and charges nothing', async () => {
  const refused = await pay({ order: 'keyless' });
  expect(refused).toMatchObject({ status: 400, body: { status: 400, code: 'idempotency-key-missing' } });
  expect(refused.headers['content-type']).toBe('application/problem+json');
  expect(await charges('keyless')).toEqual([]);
});

it('refuses another payment under a key that was used, and charges nothing', async () => {
  const refused = await pay({ order: 'another', key: '"once"' });
  expect(refused).toMatchObject({ status: 422, body: { status: 422, code: 'idempotency-key-reused' } });
  expect(refused.headers['content-type']).toBe('application/problem+json');
  expect(await charges('another')).toEqual([]);
});

it('refuses what is no payment', async () => {
  const refused = await pay({ order: 'free', amount: 0, key: '"free"' });
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/is no payment/) } });
  expect(await charges('free')).toEqual([]);
});

it('tells a second request to come again while the first is at work, and then answers it with the first one', async () => {
  let done = false;
  const first = pay({ order: 'twice', key: '"twice"' }).finally(() => {
    done = true;
  });
  const early = [];
  while (!done) {
    early.push(await pay({ order: 'twice', key: '"twice"' }));
    await sleep(300);
  }
  const answers = [await first, ...early];

  const refused = answers.filter(({ status }) => status === 409);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ status: 409, code: 'request-in-progress' });
    expect(headers['content-type']).toBe('application/problem+json');
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  const answered = answers.filter(({ status }) => status !== 409);
  const [id, ...others] = await charges('twice');
  expect(others).toEqual([]);
  for (const { status, body } of answered) expect({ status, id: body.id }).toEqual({ status: 201, id });
  expect(answered.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
});

it("keeps each caller's keys apart", async () => {
  const other = await pay({ order: 'once', key: '"once"', caller: 'florist' });
  expect(other.status).toBe(201);
  expect(other.headers).not.toHaveProperty('idempotent-replayed');
  expect(await charges('once')).toHaveLength(2);
});

it('lets nobody in without a signature', async () => {
  expect(await pay({ order: 'stranger', key: '"stranger"', caller: undefined })).toMatchObject({
    status: 403,
  });
  expect(await charges('stranger')).toEqual([]);
});

it('is destroyed without a rest', async () => {
  await terraform(folder, ['destroy', '-auto-approve'], env());
  expect(JSON.parse(await terraform(folder, ['show', '-json'], env())).values).toBeUndefined();
});

/** The example, and two shops that may call it. */
const root = {
  locals: { callers: ['bakery', 'florist'] },
  module: { example: { source: '../../../examples/http-payments', charge_seconds: CHARGE_SECONDS } },
  resource: {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are Terraform's templates.
    aws_iam_user: { caller: { for_each: '${toset(local.callers)}', name: '${each.key}' } },
    aws_iam_access_key: {
      caller: { for_each: '${toset(local.callers)}', user: '${aws_iam_user.caller[each.key].name}' },
    },
    aws_iam_user_policy: {
      caller: {
        for_each: '${toset(local.callers)}',
        user: '${aws_iam_user.caller[each.key].name}',
        policy:
          '${jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Action = "execute-api:Invoke", Resource = module.example.route_arn }] })}',
      },
    },
  },
  output: {
    example: { value: '${module.example}' },
    access_keys: { value: '${{ for caller, key in aws_iam_access_key.caller : caller => key.id }}' },
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are Terraform's templates.
  },
};

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

interface Request {
  order: string;
  amount?: number;
  key?: string;
  caller?: Caller | undefined;
}

async function pay({ order, amount = 1250, key, ...request }: Request): Promise<Answer> {
  const caller = 'caller' in request ? request.caller : 'bakery';
  const response = await fetch(url(), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(caller !== undefined && { Authorization: signatureOf(caller) }),
    },
    body: JSON.stringify({ order, amount, currency: 'EUR' }),
  });
  const headers = Object.fromEntries(response.headers);
  // Of each exchange, not of the response.
  for (const own of ['apigw-requestid', 'date']) delete headers[own];
  return { status: response.status, headers, body: (await response.json()) as Answer['body'] };
}

/** The emulator takes an API's identifier in the path, too, since not every machine resolves names below localhost. */
function url(): string {
  const { hostname, pathname } = new URL(deployed.example.url);
  const [id] = hostname.split('.');
  return `${emulator.endpoint}/_aws/execute-api/${id}/$default${pathname}`;
}

/** The emulator knows callers by their access keys, and verifies no signature. */
function signatureOf(caller: Caller): string {
  const scope = `${deployed.access_keys[caller]}/20260101/${emulator.region}/execute-api/aws4_request`;
  return `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
}

/** The charges of an order, by their identifiers. */
async function charges(order: string): Promise<unknown[]> {
  const { Items = [] } = await dynamodb.send(
    new ScanCommand({ TableName: deployed.example.ledger_table_name, ConsistentRead: true }),
  );
  return Items.filter((item) => item.order?.S === order).map((item) => item.id?.S);
}
