import { storedKey } from '../layer/key';
import { wholeRetentionSeconds } from '../layer/retention';
import { secondsOf } from './duration';
import { CommandError } from './exit-codes';

/** Options that say where the records are; what is left out comes from the variables that the layer reads. */
export interface TableOptions {
  table?: string;
  keyPrefix?: string;
  keepFor?: string;
  json?: true;
}

export interface Settings {
  tableName: string;
  /** Put before every key, as the function does. */
  keyPrefix: string;
  /** Seconds from a completion to the end of its retention: what the ages of completed records are reckoned by. */
  keepForSeconds: number;
  json: boolean;
}

const DAY = 24 * 60 * 60;

/**
 * @throws CommandError where no table is named or a duration is malformed; ConfigurationError for a retention that the
 *   layer would refuse.
 */
export function settingsOf(options: TableOptions, env: NodeJS.ProcessEnv): Settings {
  const tableName = options.table ?? env.IDEMPOTENCY_TABLE;
  if (!tableName) {
    throw new CommandError(
      'usage',
      'No table is named. Set IDEMPOTENCY_TABLE as the function has it, or give --table NAME.',
    );
  }
  const keepFor = options.keepFor === undefined ? undefined : secondsOf(options.keepFor);
  return {
    tableName,
    keyPrefix: options.keyPrefix ?? env.IDEMPOTENCY_KEY_PREFIX ?? '',
    keepForSeconds: wholeRetentionSeconds(keepFor ?? env.IDEMPOTENCY_KEEP_FOR_SECONDS ?? DAY),
    json: options.json ?? false,
  };
}

/**
 * The key as it is stored.
 *
 * @throws CommandError for a key that the layer would refuse.
 */
export function pkOf({ keyPrefix }: Settings, key: string): string {
  try {
    return storedKey(keyPrefix, key);
  } catch (error) {
    // The layer's message goes on about the work, of which there is none here.
    throw new CommandError('usage', (error as Error).message.replace('; the work was not run', ''));
  }
}
