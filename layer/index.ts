/** The public surface of the layer: what `/opt/nodejs` exports. */
export type { Client, DynamoDBMethods, SendingClient } from './client-table';
export { createRunOnce, type RunOnceConfig, runOnce } from './create-run-once';
export type { DocumentClient } from './document-client-table';
export {
  ConfigurationError,
  IdempotencyError,
  InvalidKeyError,
  LockLostError,
  ResultUnavailableError,
  StillInProgressError,
  StoreError,
} from './errors';
export { lockSecondsFor, type RemainingTime } from './lock';
export type { Run, RunOnce, Work } from './run-once';
