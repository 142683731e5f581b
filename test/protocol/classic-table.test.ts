import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createRunOnce, type RunOnce, StillInProgressError } from '../../layer';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { createTable } from './create-table';

type Classic = (key: string, lockSeconds: number, work: () => unknown) => Promise<unknown>;

/** What the migration guide promises: the new code goes on where the old code has left a table. */
describe('a table that the classic code has filled', () => {
  let emulator: Emulator;
  let client: DynamoDBClient;
  let old: Classic;
  let runOnce: RunOnce;

  beforeAll(async () => {
    emulator = await startEmulator();
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    client = new DynamoDBClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
    await createTable(client, 'orders');
    const { classicRunOnce } = await import(join(import.meta.dirname, '../../bench/classic.js'));
    old = classicRunOnce(client, 'orders');
    runOnce = createRunOnce({ client, tableName: 'orders' });
  });

  afterAll(async () => {
    client?.destroy();
    await emulator?.stop();
  });

  it.each<[string, unknown]>([
    ['an object', { id: '1042', lines: [{ sku: 'a', count: 2 }], note: null, paid: true, total: 12.5 }],
    ['text', 'done'],
    ['a number', 0],
    ['null', null],
    ['a list', ['a', ['b']]],
  ])('has its results replayed: %s', async (name, result) => {
    const key = `charge#${name}`;
    await old(key, 60, () => result);
    await expect(runOnce(key, 60, () => 'charged again')).resolves.toStrictEqual(result);
  });

  it('has its locks respected, and the work that ends under one recorded as always', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const first = old('charge#running', 60, () => {
      begun.resolve();
      return promise;
    });
    await begun.promise;

    await expect(runOnce('charge#running', 60, () => 'charged twice')).rejects.toThrow(StillInProgressError);
    finish('charged');
    await expect(first).resolves.toBe('charged');
    await expect(runOnce('charge#running', 60, () => 'charged twice')).resolves.toBe('charged');
  });

  it('has a run that died taken over, once its lock has ended', async () => {
    const begun = Promise.withResolvers<void>();
    // Its lock ended a minute before it began, and the work never does.
    void old('charge#dead', -60, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    await begun.promise;
    await expect(runOnce('charge#dead', 60, (run) => run.attempt)).resolves.toBe(2);
  });
});
