import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { createTable } from './create-table';

const PROCESSES = 5;
const CALLS = 50;

/** A function of its own: says when it is ready, calls on command, and tells what became of its calls. */
const caller = `
  const { runOnce } = require(${JSON.stringify(join(import.meta.dirname, '../../dist/nodejs'))});
  process.stdin.once('data', async (key) => {
    let runs = 0;
    const work = async () => { runs++; await new Promise((done) => setTimeout(done, 300)); return 'sent'; };
    const calls = Array.from({ length: ${CALLS} }, () => runOnce(String(key), 30, work));
    const outcomes = (await Promise.allSettled(calls)).map(({ value, reason }) => value ?? reason.code);
    console.log(JSON.stringify({ runs, outcomes }));
    process.stdin.destroy();
  });
  console.log('ready');
`;

let emulator: Emulator;
const children: ChildProcess[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  await createTable(client, 'processes');
  client.destroy();
});

afterAll(async () => {
  for (const child of children) child.kill();
  await emulator.stop();
});

it(`R15: of ${CALLS} calls of one new key from each of ${PROCESSES} processes, exactly one runs`, async () => {
  const callers = Array.from({ length: PROCESSES }, () => {
    const child = spawn(process.execPath, ['-e', caller], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, ...emulator.env, IDEMPOTENCY_TABLE: 'processes' },
    });
    children.push(child);
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  for (const { lines } of callers) expect((await lines.next()).value).toBe('ready');
  for (const { child } of callers) child.stdin?.write('order#1');

  const reports: { runs: number; outcomes: string[] }[] = [];
  for (const { child, lines } of callers) {
    reports.push(JSON.parse((await lines.next()).value));
    if (child.exitCode === null) await once(child, 'exit');
  }
  const outcomes = reports.flatMap((report) => report.outcomes);
  expect(reports.reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
  expect(outcomes).toHaveLength(PROCESSES * CALLS);
  // On a busy machine a request may time out: then its call runs nothing, and says so.
  const expected = new Set(['sent', 'STILL_IN_PROGRESS', 'STORE']);
  expect(outcomes.filter((outcome) => !expected.has(outcome))).toEqual([]);
  expect(outcomes).toEqual(expect.arrayContaining(['sent', 'STILL_IN_PROGRESS']));
});
