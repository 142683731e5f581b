import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unzipSync } from 'fflate';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import {
  buildLambdaRuntime,
  type LambdaFunction,
  type NodeVersion,
  startFunction,
} from '../../scripts/lambda-runtime';
import { createTable } from '../protocol/create-table';

const TABLE = 'runs';
const TIMEOUT_SECONDS = 30;

let emulator: Emulator;
let client: DynamoDBClient;
let folder: string;
const hostHasLayer = existsSync('/opt/nodejs');

beforeAll(async () => {
  await buildLambdaRuntime();
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  await createTable(client, TABLE);
  folder = mkdtempSync(join(tmpdir(), 'lambda-runtime-'));
  cpSync(join(import.meta.dirname, 'functions'), join(folder, 'code'), { recursive: true });
  unpackLayer(join(folder, 'layer'));
}, 600_000);

afterAll(async () => {
  client?.destroy();
  await emulator?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** What AWS unpacks is the zip, so that is what is tried here. */
function unpackLayer(to: string): void {
  const zip = readFileSync(join(import.meta.dirname, '../../dist/layer.zip'));
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), content);
  }
}

const start = (node: NodeVersion, handler: string) =>
  startFunction({
    node,
    handler,
    code: join(folder, 'code'),
    layer: join(folder, 'layer'),
    timeout: TIMEOUT_SECONDS,
    env: { ...emulator.env, IDEMPOTENCY_TABLE: TABLE },
  });

describe.each<[NodeVersion, string]>([
  [22, 'esm.mjs'],
  [22, 'commonjs.cjs'],
  [24, 'esm.mjs'],
  [24, 'commonjs.cjs'],
])('R17: on Node.js %i, %s', (node, file) => {
  const [name = ''] = file.split('.');
  let lambda: LambdaFunction;
  const invoke = (operation: string, subject = operation) =>
    lambda.invoke({ operation, key: `${subject}#${node}-${name}` });

  beforeAll(async () => {
    lambda = await start(node, `${name}.handler`);
  });

  afterAll(() => lambda?.stop());

  it('finds the layer at /opt, one instance for import and for require', async () => {
    const { node: version, path, names, shared } = (await invoke('about')) as Record<string, string[]>;
    expect(version).toMatch(new RegExp(`^${node}\\.`));
    expect(path).toBe('/opt/nodejs/index.js');
    expect(names).toContain('runOnce');
    expect(shared).toEqual(names);
    expect(existsSync('/opt/nodejs')).toBe(hostHasLayer);
  });

  it('cannot require an ES module, as in Lambda', async () => {
    expect(await invoke('requireEsModule')).toEqual({ code: 'ERR_REQUIRE_ESM' });
  });

  it('runs the work for the first event and replays its result for the duplicate', async () => {
    const key = `confirm#${node}-${name}`;
    const answer = {
      result: { key, attempt: 1, sent: new Date(0).toISOString() },
      sentIsDate: true,
      confirmations: 1,
    };
    expect(await invoke('confirm')).toEqual(answer);
    expect(await invoke('confirm')).toEqual(answer);
    const { Item } = await client.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: key } } }));
    expect(Item).toMatchObject({ status: { S: 'COMPLETED' }, attempt: { N: '1' } });
  });

  it('replays the result to another function, of the other module system', async () => {
    await invoke('confirm', 'crossing');
    const other = await start(node === 22 ? 24 : 22, name === 'esm' ? 'commonjs.handler' : 'esm.handler');
    try {
      const key = `crossing#${node}-${name}`;
      expect(await other.invoke({ operation: 'confirm', key })).toEqual({
        result: { key, attempt: 1, sent: new Date(0).toISOString() },
        sentIsDate: true,
        confirmations: 0,
      });
    } finally {
      await other.stop();
    }
  });

  it('rejects a duplicate that overlaps, by an error that instanceof tells', async () => {
    const { first, runs, rejection } = (await invoke('overlap')) as {
      [name: string]: Record<string, unknown>;
    };
    expect({ first, runs }).toEqual({ first: 'first', runs: 1 });
    expect(rejection).toEqual({
      name: 'StillInProgressError',
      code: 'STILL_IN_PROGRESS',
      retryAfterSeconds: expect.any(Number),
      isStillInProgressError: true,
      isIdempotencyError: true,
      isLockLostError: false,
      isErrorOfTheOther: true,
    });
    expect(rejection?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    // The record's lock ends at a whole second, and a takeover waits until that is over.
    expect(rejection?.retryAfterSeconds).toBeLessThanOrEqual(TIMEOUT_SECONDS + 2);
  });

  it('hands the work’s own error to the caller by its name, and releases the key', async () => {
    const declined = { errorType: 'CardDeclined', errorMessage: 'insufficient funds' };
    expect(await invoke('decline')).toMatchObject(declined);
    expect(await invoke('decline')).toMatchObject(declined);
  });

  it('hands the layer’s errors to the caller by their name', async () => {
    expect(await lambda.invoke({ operation: 'confirm', key: '' })).toMatchObject({
      errorType: 'InvalidKeyError',
    });
  });

  it('locks for the time that the runtime’s context says is left', async () => {
    const { before, lockSeconds, after } = (await invoke('lock')) as Record<string, number>;
    expect(before).toBeLessThanOrEqual(TIMEOUT_SECONDS * 1000);
    expect(after).toBeGreaterThan(0);
    expect(lockSeconds).toBeLessThanOrEqual(Math.ceil((before as number) / 1000));
    expect(lockSeconds).toBeGreaterThanOrEqual(Math.ceil((after as number) / 1000));
  });
});
