/** The public surface of the layer: what `/opt/nodejs` exports. */
export type { CacheOptions } from './cache';
export type { RunOnceOptions } from './call';
export type { Client, DynamoDBMethods, SendingClient } from './client-table';
export { createRunOnce, type RunOnceConfig, runOnce } from './create-run-once';
export type { DocumentClient } from './document-client-table';
export {
  CommitRefusedError,
  ConfigurationError,
  IdempotencyError,
  InvalidKeyError,
  KeyReusedError,
  LockLostError,
  OrphanedError,
  ResultUnavailableError,
  StillInProgressError,
  StoreError,
} from './errors';
export { hashOf } from './hash-of';
export { keyFor, type S3Record } from './key-for';
export { keyOf } from './key-of';
export { lockSecondsFor, type RemainingTime } from './lock';
export type { Observation, Observer, Outcome } from './observer';
export type { OnOrphan, Orphan, OrphanDecision } from './orphan';
export { type PowertoolsLogger, type PowertoolsMetrics, powertoolsObserver } from './powertools-observer';
export type { Codec } from './result';
export type { Run } from './run';
export type { RunOnce, Work } from './run-once';
export { type EventHandler, type EventOptions, eventHandler } from './sources/event';
export { type HttpOptions, type HttpWork, httpHandler } from './sources/http';
export type { HttpEvent, ProxyEvent, ProxyEventV2 } from './sources/http-request';
export type { HttpResponse } from './sources/http-response';
export { type MiddlewareOptions, type RunOnceMiddleware, runOnceMiddleware } from './sources/middy';
export type {
  BatchOptions,
  BatchResponse,
  Delivery,
  RecordOptions,
  RecordWork,
} from './sources/record-options';
export { type SqsOptions, type SqsRecord, sqsHandler } from './sources/sqs';
export { type StreamOptions, streamHandler } from './sources/stream';
export type { DynamoDBRecord, ItemChange, KinesisRecord, StreamRecord } from './sources/stream-record';
export type { TransactItem, TransactWrite } from './table';
