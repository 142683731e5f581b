import { clientTable, type SendingClient } from '../layer/client-table';
import { type IdempotencyRecord, readRecord } from '../layer/record';

/** What became of a deletion. `changed` has the record as it is now. */
export type Removal = { outcome: 'removed' | 'gone' } | { outcome: 'changed'; record: IdempotencyRecord };

/** The records of a table, one at a time. */
export interface Records {
  /** Strongly consistent. */
  find(pk: string): Promise<IdempotencyRecord | undefined>;
  /** Deletes the record if it still is that of the call, and in the state, that was shown. */
  remove(pk: string, shown: IdempotencyRecord): Promise<Removal>;
}

export function recordsOf(client: SendingClient, tableName: string): Records {
  const table = clientTable(client);
  const at = (pk: string) => ({ TableName: tableName, Key: { pk } });
  const find = async (pk: string) => {
    const item = await table.get(at(pk));
    return item && readRecord(item);
  };

  return {
    find,
    async remove(pk, shown) {
      const answer = await table.delete({ ...at(pk), ...conditionOf(shown) });
      if (answer.written) return { outcome: 'removed' };
      const record = answer.found ? readRecord(answer.found) : await find(pk);
      // Where another copy of this very deletion came through, or TTL was first, what was asked for is so.
      return record === undefined ? { outcome: 'gone' } : { outcome: 'changed', record };
    },
  };
}

/**
 * An owner is one call: while it is the same, at most the lock's end has changed. A record of the classic form has none;
 * there the end of the lock, or of the retention, tells one use of the key from the next.
 */
function conditionOf({ status, expiresAt, owner }: IdempotencyRecord) {
  return owner === undefined
    ? {
        ConditionExpression: '#status = :status AND #expiresAt = :expiresAt AND attribute_not_exists(#owner)',
        ExpressionAttributeNames: { '#status': 'status', '#expiresAt': 'expiresAt', '#owner': 'owner' },
        ExpressionAttributeValues: { ':status': status, ':expiresAt': expiresAt },
      }
    : {
        ConditionExpression: '#status = :status AND #owner = :owner',
        ExpressionAttributeNames: { '#status': 'status', '#owner': 'owner' },
        ExpressionAttributeValues: { ':status': status, ':owner': owner },
      };
}
