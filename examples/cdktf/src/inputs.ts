import type { IResolvable } from '#cdk';

/** True, false, or what Terraform tells later, such as a variable's `booleanValue`. */
export type Bool = boolean | IResolvable;

/**
 * The module's variables under TypeScript's names: `keep_for_seconds` is `keepForSeconds`. What each of them does is in
 * variables.tf; the module checks their values when planning. What is left out has the module's default.
 */
export interface IdempotencyInputs<
  FunctionKey extends string = never,
  QueueKey extends string = never,
  ExistingQueueKey extends string = never,
  StreamKey extends string = never,
> {
  /** Whether anything is created at all. */
  create?: Bool;
  /** Name of the table, the layer and the policy, and the first part of the queues' names. */
  name: string;
  tags?: Record<string, string>;

  createTable?: Bool;
  /** Your own table, for `createTable: false`. */
  tableName?: string;
  tableArn?: string;
  /** Customer managed key of table and queues. */
  kmsKeyArn?: string;
  /** Where the table has another key than the queues. */
  tableKmsKeyArn?: string;
  /** `STANDARD` or `STANDARD_INFREQUENT_ACCESS`. */
  tableClass?: string;
  tableDeletionProtection?: Bool;
  /** Most request units a second. */
  tableMaximumThroughput?: { read?: number; write?: number };
  tablePointInTimeRecovery?: Bool;
  /** Days, 1 to 35. */
  tableRecoveryPeriodDays?: number;
  /** By region. */
  tableReplicas?: Record<string, { kmsKeyArn?: string; pointInTimeRecovery?: Bool }>;
  /** `{ json: Fn.jsonencode(…) }`, for functions of other accounts. */
  tableResourcePolicy?: { json: string };
  /** Seconds for which a result is kept and replayed. Default: 86400, a day. */
  keepForSeconds?: number;

  createLayer?: Bool;
  /** Path of the layer's zip from where Terraform runs, such as a TerraformAsset's. Default: that of the release. */
  layerZip?: string;
  layerS3Object?: { bucket: string; key: string; objectVersion?: string };
  /** Who else may use the layer: an account or an organisation, by keys of your choice. */
  layerPermissions?: Record<string, { accountId?: string; organizationId?: string }>;
  compatibleRuntimes?: string[];
  compatibleArchitectures?: string[];

  /** Roles that the policies are attached to: names, by keys of your choice. */
  roleNames?: Record<string, string>;
  /** Functions that may use only keys of their own, by the key of their role in `roleNames`. */
  functions?: Record<FunctionKey, { keyPrefix?: string }>;
  policyPath?: string;

  /** Queues to create, each with a dead-letter queue, by the last part of their names. */
  queues?: Record<QueueKey, QueueInputs>;
  /** Queues of your own, to be told the settings that fit them, by keys of your choice. */
  existingQueues?: Record<ExistingQueueKey, ExistingQueueInputs>;

  /** Functions that are invoked asynchronously, by keys of your choice. */
  asyncFunctions?: Record<string, AsyncFunctionInputs>;
  /** Streams of Kinesis and DynamoDB, by keys of your choice. */
  streams?: Record<StreamKey, StreamInputs>;

  /** Has the layer write metrics; `{}` turns them on. */
  metrics?: { namespace?: string };
  /** Makes alarms; `{}` makes alarms that tell nobody. */
  alarms?: { topicArns?: string[] };
  dashboard?: Bool;
}

export interface QueueInputs {
  /** Seconds: the timeout of the function that consumes the queue. */
  functionTimeout: number;
  /** Name or ARN of that function, of its version or alias. */
  functionName?: string;
  /** Set it to true where `functionName` is not known when planning. */
  eventSourceMapping?: Bool;
  /** Key in `roleNames` of that function's role. */
  roleKey?: string;
  fifo?: Bool;
  contentBasedDeduplication?: Bool;
  highThroughput?: Bool;
  batchSize?: number;
  /** Seconds. */
  batchingWindow?: number;
  /** Seconds, where more is wanted than six times `functionTimeout`. */
  visibilityTimeout?: number;
  maxReceiveCount?: number;
  maximumConcurrency?: number;
  /** JSON. */
  filterPatterns?: string[];
  metrics?: Bool;
  redriveAllow?: Bool;
  tlsOnly?: Bool;
  /** AWS services that may send to the queue, by keys of your choice. */
  senders?: Record<string, { service: string; sourceArn: string }>;
}

export interface ExistingQueueInputs {
  /** Seconds. */
  functionTimeout: number;
  /** Seconds. */
  visibilityTimeout: number;
  /** Seconds. */
  batchingWindow?: number;
}

export interface AsyncFunctionInputs {
  functionName: string;
  /** Version or alias, where it is not $LATEST. */
  qualifier?: string;
  roleKey?: string;
  maximumRetryAttempts?: number;
  /** Seconds. */
  maximumEventAge?: number;
  onFailure?: Destination;
}

export interface StreamInputs {
  eventSourceArn: string;
  functionName: string;
  roleKey?: string;
  /** Customer managed key of the stream. */
  kmsKeyArn?: string;
  /** `TRIM_HORIZON` or `LATEST`. */
  startingPosition?: string;
  batchSize?: number;
  /** Seconds. */
  batchingWindow?: number;
  parallelizationFactor?: number;
  maximumRetryAttempts?: number;
  /** Seconds. */
  maximumRecordAge?: number;
  bisectBatch?: Bool;
  /** The module refuses a stream without it: records that are given up would be lost. */
  onFailure?: Destination;
  filterPatterns?: string[];
  metrics?: Bool;
}

/** Where events go that are given up. */
export interface Destination {
  /** ARN of a queue, topic or bucket; for asynchronous events also of a function or event bus. */
  arn: string;
  kmsKeyArn?: string;
}

/** Those of the inputs whose keys are the user's own, which go to Terraform as they are. */
const KEYED = new Set([
  'asyncFunctions',
  'existingQueues',
  'functions',
  'layerPermissions',
  'queues',
  'roleNames',
  'senders',
  'streams',
  'tableReplicas',
  'tags',
]);

/** The inputs under Terraform's names. */
export function variablesOf(inputs: object, keysAreNames = true): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [
        keysAreNames ? snakeCase(key) : key,
        isPlainObject(value) ? variablesOf(value, !KEYED.has(key)) : value,
      ]),
  );
}

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Tokens, such as a variable's `booleanValue`, are objects of a class, and resolved when synthesising. */
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
