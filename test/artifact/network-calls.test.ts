/** What the built layer costs at the table: exact, over real connections, as `npm run bench` shows beside its peers. */
import { measure } from '../../bench/measure';
import { type Counts, type Stub, startStub } from '../../bench/stub';

let stub: Stub;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.stop());

const run = async (name: string, ...args: string[]) =>
  JSON.parse(await measure(22, name, args, stub.endpoint));

const calls = (subject: string, bytes: number): Promise<Record<string, Counts>> =>
  run('calls.mjs', subject, String(bytes));

it('sends two writes for a first run, one for a duplicate or in flight, two for failed work', async () => {
  const { first, duplicate, inFlight, failed } = await calls('ours', 100);
  expect(first?.calls).toEqual({ UpdateItem: 2 });
  expect(duplicate?.calls).toEqual({ UpdateItem: 1 });
  expect(inFlight?.calls).toEqual({ UpdateItem: 1 });
  expect(failed?.calls).toEqual({ UpdateItem: 1, DeleteItem: 1 });
});

it('sends nothing for a duplicate in a warm container with the cache', async () => {
  const { first, duplicate } = await calls('cached', 100);
  expect(first?.calls).toEqual({ UpdateItem: 2 });
  expect(duplicate?.calls).toEqual({});
});

// Of orders as JSON: a record of 1 KB and more is deflated, so that a duplicate of even 100 KB is billed by a few units.
it.each([
  [102, 2, 1],
  [1024, 2, 1],
  [10_240, 3, 2],
  [102_400, 10, 9],
])('writes %d bytes of result in %d units, and a duplicate of it in %d', async (bytes, first, duplicate) => {
  const counts = await calls('ours', bytes);
  expect(counts.first).toMatchObject({ writeUnits: first, readUnits: 0 });
  expect(counts.duplicate).toMatchObject({ writeUnits: duplicate, readUnits: 0 });
});

it('polls less and less often for a result that takes long', async () => {
  const { calls: short } = await run('contention.mjs', '200', '500');
  const { calls: long } = await run('contention.mjs', '200', '2000');
  // Linear were four times; each poll's pause is half as long again as the last one's.
  expect(long / short).toBeLessThan(2);
  expect(long).toBeLessThan(200 * 14);
});
