/** What the built layer costs at the table: exact, over real connections, as `npm run bench` shows beside its peers. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Counts, type Stub, startStub } from '../../bench/stub';

const program = (name: string) => join(import.meta.dirname, '../../bench/programs', name);

let stub: Stub;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.stop());

function run(name: string, ...args: string[]) {
  const output = execFileSync(process.execPath, [program(name), ...args], {
    encoding: 'utf8',
    env: {
      AWS_ENDPOINT_URL: stub.endpoint,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  return JSON.parse(output);
}

const calls = (subject: string, bytes: number): Record<string, Counts> =>
  run('calls.mjs', subject, String(bytes));

it('sends two writes for a first run, one for a duplicate or in flight, two for failed work', () => {
  const { first, duplicate, inFlight, failed } = calls('ours', 100);
  expect(first?.calls).toEqual({ UpdateItem: 2 });
  expect(duplicate?.calls).toEqual({ UpdateItem: 1 });
  expect(inFlight?.calls).toEqual({ UpdateItem: 1 });
  expect(failed?.calls).toEqual({ UpdateItem: 1, DeleteItem: 1 });
});

it('sends nothing for a duplicate in a warm container with the cache', () => {
  const { first, duplicate } = calls('cached', 100);
  expect(first?.calls).toEqual({ UpdateItem: 2 });
  expect(duplicate?.calls).toEqual({});
});

// Of orders as JSON: a record of 1 KB and more is deflated, so that a duplicate of even 100 KB is billed by a few units.
it.each([
  [102, 2, 1],
  [1024, 2, 1],
  [10_240, 3, 2],
  [102_400, 10, 9],
])('writes %d bytes of result in %d units, and a duplicate of it in %d', (bytes, first, duplicate) => {
  const counts = calls('ours', bytes);
  expect(counts.first).toMatchObject({ writeUnits: first, readUnits: 0 });
  expect(counts.duplicate).toMatchObject({ writeUnits: duplicate, readUnits: 0 });
});

it('polls less and less often for a result that takes long', () => {
  const { calls: short } = run('contention.mjs', '200', '500');
  const { calls: long } = run('contention.mjs', '200', '2000');
  // Linear were four times; each poll's pause is half as long again as the last one's.
  expect(long / short).toBeLessThan(2);
  expect(long).toBeLessThan(200 * 14);
});
