import { jest } from '@jest/globals';

const environment = { ...process.env };
const loaded = jest.fn();
jest.unstable_mockModule('../../layer/bundled-client', () => {
  loaded();
  return { createClient: () => ({}) };
});

beforeEach(() => {
  jest.resetModules();
  loaded.mockClear();
});
afterEach(() => {
  process.env = { ...environment };
});

const imported = () => import('../../layer/create-run-once');
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('loads the client as soon as the environment names a table', async () => {
  process.env.IDEMPOTENCY_TABLE = 'records';
  await imported();
  await settled();
  expect(loaded).toHaveBeenCalledTimes(1);
});

it('loads no client that might not be used', async () => {
  delete process.env.IDEMPOTENCY_TABLE;
  const { createRunOnce } = await imported();
  createRunOnce({ tableName: 'records', client: { send: async () => ({}), config: {} } });
  await settled();
  expect(loaded).not.toHaveBeenCalled();
});

it('loads the client with a runOnce that has no other', async () => {
  delete process.env.IDEMPOTENCY_TABLE;
  const { createRunOnce } = await imported();
  createRunOnce({ tableName: 'records' });
  await settled();
  expect(loaded).toHaveBeenCalledTimes(1);
});
