import type { IdempotencyRecord } from '../layer/record';
import { CommandError } from './exit-codes';
import type { Session } from './session';
import { pkOf } from './settings';

export interface Found {
  pk: string;
  record: IdempotencyRecord;
}

/** @throws CommandError where there is no record of the key. */
export async function findRecord({ settings, records }: Session, key: string): Promise<Found> {
  const pk = pkOf(settings, key);
  const record = await records.find(pk);
  if (record) return { pk, record };
  const { tableName, keyPrefix } = settings;
  const twice = keyPrefix !== '' && key.startsWith(keyPrefix);
  throw new CommandError(
    'notFound',
    `There is no record '${pk}' in table ${tableName}: the operation has never begun, has failed and may run again, or its retention is over. ${
      twice
        ? `The key already begins with the prefix '${keyPrefix}': leave that out, or give --key-prefix ''.`
        : 'If functions put a prefix before their keys, give --key-prefix.'
    }`,
  );
}
