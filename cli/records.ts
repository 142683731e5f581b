import { clientTable, type SendingClient } from '../layer/client-table';
import { type IdempotencyRecord, readRecord } from '../layer/record';

/** What became of a deletion. `changed` has the record as it is now. */
export type Removal = { outcome: 'removed' | 'gone' } | { outcome: 'changed'; record: IdempotencyRecord };

/** The records of a table, one at a time. */
export interface Records {
  /** Strongly consistent. */
  find(pk: string): Promise<IdempotencyRecord | undefined>;
  /**
   * Deletes the record if it still is that of the call, and in the state, that was shown.
   *
   * @param lockEnded Whether it was shown as that of a run that has died: one that extends its lock has not.
   */
  remove(pk: string, shown: IdempotencyRecord, lockEnded: boolean): Promise<Removal>;
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
    async remove(pk, shown, lockEnded) {
      const answer = await table.delete({ ...at(pk), ...conditionOf(shown, lockEnded) });
      if (answer.written) return { outcome: 'removed' };
      const record = answer.found ? readRecord(answer.found) : await find(pk);
      // Where another copy of this very deletion came through, or TTL was first, what was asked for is so.
      return record === undefined ? { outcome: 'gone' } : { outcome: 'changed', record };
    },
  };
}

/**
 * An owner is one call: while it is the same, at most the lock's end has changed, which a run that is alive extends. A
 * record of the classic form has none; there the end of the lock, or of the retention, tells one use of the key from the
 * next.
 */
function conditionOf({ status, expiresAt, owner }: IdempotencyRecord, lockEnded: boolean) {
  const sameEnd = owner === undefined || lockEnded;
  const conditions = [
    '#status = :status',
    owner === undefined ? 'attribute_not_exists(#owner)' : '#owner = :owner',
    ...(sameEnd ? ['#expiresAt = :expiresAt'] : []),
  ];
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      '#status': 'status',
      '#owner': 'owner',
      ...(sameEnd && { '#expiresAt': 'expiresAt' }),
    },
    ExpressionAttributeValues: {
      ':status': status,
      ...(owner !== undefined && { ':owner': owner }),
      ...(sameEnd && { ':expiresAt': expiresAt }),
    },
  };
}
