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
  DynamoDBRecord as AwsDynamoDBRecord,
  Context,
  DynamoDBBatchResponse,
  DynamoDBStreamHandler,
  EventBridgeEvent,
  EventBridgeHandler,
  Handler,
  KinesisStreamBatchResponse,
  KinesisStreamHandler,
  KinesisStreamRecord,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
  S3EventRecord,
  S3Handler,
  SNSEventRecord,
  SNSHandler,
  SQSBatchResponse,
  SQSHandler,
  SQSRecord,
} from 'aws-lambda';
import AWS from 'aws-sdk';
import { expectTypeOf } from 'expect-type';
import middy6 from 'middy-6';
import {
  type BatchResponse,
  type CommitRefusedError,
  createRunOnce,
  type Delivery,
  type DynamoDBRecord,
  eventHandler,
  type HttpEvent,
  type HttpResponse,
  hashOf,
  httpHandler,
  IdempotencyError,
  type ItemChange,
  type KinesisRecord,
  keyFor,
  keyOf,
  lockSecondsFor,
  type Observer,
  type Outcome,
  powertoolsObserver,
  type Run,
  type RunOnce,
  type RunOnceOptions,
  runOnce,
  runOnceMiddleware,
  type S3Record,
  type SqsRecord,
  StillInProgressError,
  StoreError,
  sqsHandler,
  streamHandler,
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

// Queues, streams and asynchronous events: the payloads of `@types/aws-lambda`, and handlers of its types.
expectTypeOf<SQSRecord>().toExtend<SqsRecord>();
expectTypeOf<KinesisStreamRecord>().toExtend<KinesisRecord>();
expectTypeOf<AwsDynamoDBRecord>().toExtend<DynamoDBRecord>();
expectTypeOf<S3EventRecord>().toExtend<S3Record>();
expectTypeOf<BatchResponse>().toExtend<SQSBatchResponse>();
expectTypeOf<BatchResponse>().toExtend<KinesisStreamBatchResponse>();
expectTypeOf<BatchResponse>().toExtend<DynamoDBBatchResponse>();

interface Order {
  id: string;
}

// The payload's type is that of the key, or of what parse returns.
export const byKey: SQSHandler = sqsHandler(
  { key: (order: Order) => keyOf('charge', order.id) },
  (order, run, { record, context }) => {
    expectTypeOf(order).toEqualTypeOf<Order>();
    expectTypeOf(run).toEqualTypeOf<Run>();
    // That of the handler's own type, which SqsRecord is part of.
    expectTypeOf(record).toEqualTypeOf<SQSRecord>();
    expectTypeOf(context.getRemainingTimeInMillis()).toBeNumber();
  },
);
export const withDelivery = sqsHandler(
  {
    key: (order: Order, record) => keyOf(order.id, record.attributes.MessageGroupId ?? 'none'),
    changeVisibility: async (record, seconds) => [record.receiptHandle, seconds],
  },
  async (order, _run, delivery: Delivery<SQSRecord, Context>) =>
    `${order.id} ${delivery.record.md5OfMessageAttributes} ${delivery.context.awsRequestId}`,
);
expectTypeOf(withDelivery).toExtend<SQSHandler>();
export const byParse: SQSHandler = sqsHandler(
  { parse: ({ body }) => new URL(body), key: (url) => url.host, onMalformed: 'drop' },
  (url) => expectTypeOf(url).toEqualTypeOf<URL>(),
);
export const kinesis: KinesisStreamHandler = streamHandler(
  { key: (_: Order, record: KinesisStreamRecord) => keyFor.kinesis('book', record) },
  (order, run) => run.commit({ Put: { TableName: 'orders', Item: { id: order.id } } }),
);
export const dynamodb: DynamoDBStreamHandler = streamHandler(
  { key: (_: ItemChange<Order>, record: AwsDynamoDBRecord) => keyFor.dynamodb('project', record) },
  ({ NewImage }) => expectTypeOf(NewImage).toEqualTypeOf<Order | undefined>(),
);
export const s3: S3Handler = eventHandler(
  { key: (record: S3EventRecord) => keyFor.s3('thumbnail', record) },
  async (record) => record.s3.object.key,
);
export const sns: SNSHandler = eventHandler(
  { key: (record: SNSEventRecord) => keyFor.sns('mail', record) },
  async (record) => record.Sns.Message,
);
export const eventBridge: EventBridgeHandler<'OrderPlaced', Order, string> = eventHandler(
  { key: (event: EventBridgeEvent<'OrderPlaced', Order>) => keyFor.eventBridge('mail', event) },
  async (event) => event.detail.id,
);
export const direct: Handler<Order, number> = eventHandler({ key: (order: Order) => hashOf(order) }, () => 1);
expectTypeOf(
  eventHandler({ key: (order: Order) => order.id }, () => 1)({ id: '7' }, context),
).resolves.toBeNumber();

// Mistakes.
// @ts-expect-error a key is needed
sqsHandler({ concurrency: 2 }, () => 1);
// @ts-expect-error no such option: an outcome that is no failure is returned, not thrown
sqsHandler({ key: () => 'k', rememberError: () => true }, () => 1);
// @ts-expect-error no such choice
sqsHandler({ key: () => 'k', onMalformed: 'ignore' }, () => 1);
// @ts-expect-error a stream has no visibility
streamHandler({ key: () => 'k', changeVisibility: () => {} }, () => 1);
// @ts-expect-error an event comes again as a whole
eventHandler({ key: () => 'k', onMalformed: 'drop' }, () => 1);
// @ts-expect-error the operation is to be named
keyFor.sqs({ messageId: '1' });
// @ts-expect-error parts are strings and whole numbers
keyOf('order', undefined);
