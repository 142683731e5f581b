import { type CacheOptions, RecordCache } from './cache';
import { type Client, clientTable, loadBundledClient } from './client-table';
import { systemClock } from './clock';
import { type DocumentClient, documentClientTable } from './document-client-table';
import { metricsOfTheEnvironment } from './emf';
import { ConfigurationError } from './errors';
import { refuseUnknown } from './known-options';
import { type Observer, tellerOf } from './observer';
import type { Codec } from './result';
import { wholeRetentionSeconds } from './retention';
import { type RunOnce, runOnceWith } from './run-once';
import { createStore } from './store';

/** What `createRunOnce` takes; whatever is left out comes from the environment that the module's output sets. */
export interface RunOnceConfig {
  /** The table's name. Default: `IDEMPOTENCY_TABLE`. */
  tableName?: string;
  /** An AWS SDK v3 client to use in place of the layer's own: its region, endpoint, credentials and retries apply. */
  client?: Client;
  /** An `aws-sdk` v2 DocumentClient, for code that still holds one. Give this or `client`, not both. */
  documentClient?: DocumentClient;
  /** Put before every key, so that functions that share a table do not share keys. Default: `IDEMPOTENCY_KEY_PREFIX`, else none. */
  keyPrefix?: string;
  /** Seconds for which a result is kept and replayed. Default: `IDEMPOTENCY_KEEP_FOR_SECONDS`, else 86,400 (24 hours). */
  keepForSeconds?: number;
  /** Keep completed records in memory, so that a duplicate in a warm container asks no table. Default: off. */
  cache?: true | CacheOptions;
  /** Encodes the results that are stored, for instance to encrypt them. Default: none; they are readable in the table. */
  codec?: Codec;
  /**
   * Is told what becomes of each call, for metrics and logs of one's own. Default: none. The metrics that
   * `IDEMPOTENCY_METRICS=emf` turns on are written all the same.
   */
  observer?: Observer;
}

const OPTIONS: (keyof RunOnceConfig)[] = [
  'tableName',
  'client',
  'documentClient',
  'keyPrefix',
  'keepForSeconds',
  'cache',
  'codec',
  'observer',
];

const DAY = 24 * 60 * 60;

/**
 * A `runOnce` with a table, client, key prefix or retention of its own. Nothing is sent before its first call.
 *
 * @throws ConfigurationError for an unknown option or a value out of range, and where no table is named.
 * @example
 * const chargeOnce = createRunOnce({ keyPrefix: 'charge#', keepForSeconds: 7 * 86_400 })
 */
export function createRunOnce(config: RunOnceConfig = {}): RunOnce {
  if (typeof config !== 'object' || config === null) {
    throw new ConfigurationError('createRunOnce takes an object of options. Pass {} for none.');
  }
  refuseUnknown('createRunOnce', config, OPTIONS);
  if (config.client && config.documentClient) {
    throw new ConfigurationError(
      'createRunOnce takes client or documentClient, but both are given. Leave one out.',
    );
  }
  const { IDEMPOTENCY_TABLE, IDEMPOTENCY_KEY_PREFIX, IDEMPOTENCY_KEEP_FOR_SECONDS } = process.env;
  const tableName = config.tableName ?? IDEMPOTENCY_TABLE;
  if (!tableName) {
    throw new ConfigurationError(
      'No table is named. Set IDEMPOTENCY_TABLE, for instance by the module’s `environment` output, or pass tableName to createRunOnce.',
    );
  }
  for (const [name, value] of Object.entries({ tableName, keyPrefix: config.keyPrefix ?? '' })) {
    if (typeof value !== 'string') {
      throw new ConfigurationError(
        `${name} must be a string, but it is of type ${typeof value}. Correct it.`,
      );
    }
  }
  const table = config.documentClient
    ? documentClientTable(config.documentClient)
    : clientTable(config.client);
  const { observer } = config;
  if (observer !== undefined && typeof observer !== 'function') {
    throw new ConfigurationError(
      `observer must be a function, but it is of type ${typeof observer}. Pass ({ outcome, keyHash }) => …, or powertoolsObserver({ logger }).`,
    );
  }
  const metrics = metricsOfTheEnvironment();
  const observers = [metrics?.observe, observer].filter((each) => each !== undefined);
  const runOnce = runOnceWith({
    store: createStore(table, tableName, systemClock),
    clock: systemClock,
    keyPrefix: config.keyPrefix ?? IDEMPOTENCY_KEY_PREFIX ?? '',
    keepForSeconds: wholeRetentionSeconds(config.keepForSeconds ?? IDEMPOTENCY_KEEP_FOR_SECONDS ?? DAY),
    cache: config.cache && new RecordCache(systemClock, config.cache === true ? {} : config.cache),
    codec: config.codec && checkedCodec(config.codec),
    teller: tellerOf(observers, tableName, systemClock),
  });
  return metrics ? metrics.during(runOnce) : runOnce;
}

function checkedCodec(codec: Codec): Codec {
  const { name, encode, decode } = codec;
  const named = typeof name === 'string' && name !== '' && name !== 'devalue';
  if (named && typeof encode === 'function' && typeof decode === 'function') return codec;
  throw new ConfigurationError(
    `codec must have a name of its own and the functions encode and decode, but its name is ${JSON.stringify(name)}. Correct it.`,
  );
}

let ofTheEnvironment: RunOnce | undefined;
if (process.env.IDEMPOTENCY_TABLE) void loadBundledClient();

/**
 * Runs work once per key, set up from the environment: `IDEMPOTENCY_TABLE`, `IDEMPOTENCY_KEY_PREFIX`,
 * `IDEMPOTENCY_KEEP_FOR_SECONDS`, `IDEMPOTENCY_METRICS`, `IDEMPOTENCY_METRICS_NAMESPACE`. See {@link RunOnce}.
 *
 * @example
 * await runOnce(`order-confirmation#${id}`, lockSecondsFor(context), () => send(order))
 */
export const runOnce: RunOnce = async (key, lock, work) => {
  // Read on the first call, so that a missing variable is an error of the call and not of the import.
  ofTheEnvironment ??= createRunOnce();
  return ofTheEnvironment(key, lock, work);
};
