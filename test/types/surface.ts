/** The types of the public surface: checked by `npm run typecheck`, run by nothing. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type {
  ALBEvent,
  ALBHandler,
  ALBResult,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithIAMAuthorizer,
  APIGatewayProxyEventV2WithJWTAuthorizer,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  APIGatewayProxyHandlerV2WithJWTAuthorizer,
  APIGatewayProxyResult,
  APIGatewayProxyResultV2,
  APIGatewayProxyWithCognitoAuthorizerEvent,
  Context,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import AWS from 'aws-sdk';
import { expectTypeOf } from 'expect-type';
import middy6 from 'middy-6';
import {
  type CommitRefusedError,
  createRunOnce,
  type HttpEvent,
  type HttpResponse,
  httpHandler,
  IdempotencyError,
  lockSecondsFor,
  type Observer,
  type Outcome,
  powertoolsObserver,
  type Run,
  type RunOnce,
  type RunOnceOptions,
  runOnce,
  runOnceMiddleware,
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

// Observers: of one's own, of Powertools, and a console for a logger.
createRunOnce({
  observer: ({ outcome, keyHash, attempt, milliseconds }) => {
    expectTypeOf(outcome).toEqualTypeOf<Outcome>();
    expectTypeOf(keyHash).toBeString();
    expectTypeOf([attempt, milliseconds]).toEqualTypeOf<number[]>();
  },
});
createRunOnce({ observer: async () => {} });
expectTypeOf(powertoolsObserver({ metrics: new Metrics(), logger: new Logger() })).toEqualTypeOf<Observer>();
powertoolsObserver({ logger: console });

// Mistakes.
// @ts-expect-error an observer is a function
createRunOnce({ observer: new Logger() });
// @ts-expect-error no logger
powertoolsObserver({ logger: new Metrics() });
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

// HTTP: the payloads of `@types/aws-lambda`, and handlers of its types.
expectTypeOf<APIGatewayProxyEvent>().toExtend<HttpEvent>();
expectTypeOf<APIGatewayProxyWithCognitoAuthorizerEvent>().toExtend<HttpEvent>();
expectTypeOf<APIGatewayProxyEventV2>().toExtend<HttpEvent>();
expectTypeOf<APIGatewayProxyEventV2WithJWTAuthorizer>().toExtend<HttpEvent>();
expectTypeOf<APIGatewayProxyEventV2WithIAMAuthorizer>().toExtend<HttpEvent>();
expectTypeOf<LambdaFunctionURLEvent>().toExtend<HttpEvent>();
expectTypeOf<ALBEvent>().toExtend<HttpEvent>();
expectTypeOf<HttpResponse>().toExtend<APIGatewayProxyResult>();
expectTypeOf<HttpResponse>().toExtend<APIGatewayProxyResultV2>();
expectTypeOf<HttpResponse>().toExtend<ALBResult>();

export const rest: APIGatewayProxyHandler = httpHandler(
  { shouldStore: (response) => response.statusCode < 400 },
  async (event: APIGatewayProxyEvent, context: Context, run) => {
    expectTypeOf(run).toEqualTypeOf<Run | undefined>();
    return { statusCode: 200, body: `${event.httpMethod} ${context.awsRequestId}` };
  },
);
export const http: APIGatewayProxyHandlerV2 = httpHandler(
  { caller: (event) => event.rawPath },
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> => event.rawPath,
);
export const withClaims: APIGatewayProxyHandlerV2WithJWTAuthorizer = httpHandler(
  {},
  (event: APIGatewayProxyEventV2WithJWTAuthorizer) => ({
    statusCode: event.requestContext.authorizer.jwt.claims.sub ? 200 : 403,
  }),
);
export const url: LambdaFunctionURLHandler = httpHandler(
  { caller: 'anonymous' },
  async (_: LambdaFunctionURLEvent) => ({ statusCode: 204 }),
);
export const balanced: ALBHandler = httpHandler({ caller: 'anonymous' }, async (_: ALBEvent) => ({
  statusCode: 204,
}));
// @ts-expect-error no such option
httpHandler({ rememberError: () => true }, () => ({ statusCode: 204 }));
// @ts-expect-error no HTTP request
httpHandler({}, (event: { Records: [] }) => ({ statusCode: event.Records.length }));

// Middy: the middleware leaves the types of the event and the context as they are. (Those of Middy 7 are `any` where
// the optional SDK of durable functions is not installed.)
const byId = runOnceMiddleware({ key: (event: { id: string }) => event.id, fingerprint: ({ id }) => id });
middy6()
  .use(byId)
  .handler(async (event: { id: string }, context) => {
    expectTypeOf(context).toEqualTypeOf<Context>();
    return event.id;
  });
middy()
  .use(byId)
  .handler(async (event: { id: string }) => event.id);
middy(async (event: { id: string }, context: Context & { run: Run }) => {
  await context.run.extend(30);
  return event.id;
}).use(byId);
// @ts-expect-error a key is needed
runOnceMiddleware({ lockSeconds: 30 });
// @ts-expect-error the end of a handler is not told, so nothing can beat for it
runOnceMiddleware({ key: () => 'k', heartbeat: true });
