/** The types of the public surface: checked by `npm run typecheck`, run by nothing. */
import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import AWS from 'aws-sdk';
import { expectTypeOf } from 'expect-type';
import {
  type CommitRefusedError,
  createRunOnce,
  IdempotencyError,
  lockSecondsFor,
  type Run,
  type RunOnce,
  type RunOnceOptions,
  runOnce,
  StillInProgressError,
  StoreError,
  type TransactItem,
} from '../../layer';

declare const context: { getRemainingTimeInMillis(): number; awsRequestId: string };

// The answer has the work's type, whether the work is synchronous or not.
expectTypeOf(runOnce('k', 30, () => 1)).resolves.toBeNumber();
expectTypeOf(runOnce('k', 30, async () => ({ id: 'x' }))).resolves.toEqualTypeOf<{ id: string }>();
expectTypeOf(runOnce('k', 30, () => undefined)).resolves.toBeUndefined();
expectTypeOf(runOnce('k', { context }, (run) => run.attempt)).resolves.toBeNumber();
expectTypeOf(createRunOnce()).toEqualTypeOf<RunOnce>();
expectTypeOf(runOnce).toEqualTypeOf<RunOnce>();
expectTypeOf(lockSecondsFor(context)).toBeNumber();

expectTypeOf<Run['signal']>().toEqualTypeOf<AbortSignal>();
expectTypeOf<Run['idempotencyKey']>().toEqualTypeOf<(step?: string) => string>();
expectTypeOf<Run['extend']>().toEqualTypeOf<(seconds: number) => Promise<void>>();
expectTypeOf<Run['commit']>().parameter(0).toEqualTypeOf<TransactItem>();
expectTypeOf<Run>().not.toHaveProperty('close');

// Clients as they come.
createRunOnce({ client: new DynamoDBClient({}) });
createRunOnce({ client: new DynamoDB({}) });
createRunOnce({ documentClient: new AWS.DynamoDB.DocumentClient() });
createRunOnce({ cache: true });
createRunOnce({
  cache: { maxRecords: 5 },
  codec: { name: 'v1', encode: (bytes) => bytes, decode: async (bytes) => bytes },
});

expectTypeOf<RunOnceOptions['whenInProgress']>().toEqualTypeOf<'throw' | 'wait' | undefined>();
await runOnce('k', { context, onOrphan: () => 'fail' }, () => 1);
await runOnce('k', { context, onOrphan: async ({ attempt }) => ({ result: attempt }) }, () => 1);

// Mistakes.
// @ts-expect-error a key is a string
await runOnce(1042, 30, () => 1);
// @ts-expect-error a lock is a number
await runOnce('k', '30', () => 1);
// @ts-expect-error the work is a function, not its promise
await runOnce('k', 30, Promise.resolve(1));
// @ts-expect-error no such option
await runOnce('k', { lockSecond: 30 }, () => 1);
// @ts-expect-error no such option
createRunOnce({ table: 'x' });
// @ts-expect-error no such decision
await runOnce('k', { context, onOrphan: () => 'ignore' }, () => 1);
// @ts-expect-error a write names its table
runOnce('k', 30, (run) => run.commit({ Put: { Item: {} } }));
// @ts-expect-error the attempt is given, not set
runOnce('k', 30, (run) => (run.attempt = 2));

const error: unknown = new Error();
if (error instanceof StillInProgressError) expectTypeOf(error.retryAfterSeconds).toBeNumber();
if (error instanceof IdempotencyError) expectTypeOf(error.code).toBeString();
if (error instanceof StoreError) expectTypeOf(error.retryable).toBeBoolean();
expectTypeOf<CommitRefusedError['index']>().toBeNumber();
