import { clientTable, type SendingClient } from '../layer/client-table';
import { type IdempotencyRecord, readRecord } from '../layer/record';

/** What became of a deletion. `changed` has the record as it is now. */
export type Removal = { outcome: 'removed' | 'gone' } | { outcome: 'changed'; record: IdempotencyRecord };

/** How strictly a record must be as it was shown for it to be deleted. */
export type Likeness =
  /** The same call still holds it. That it has extended its lock meanwhile makes it no other. */
  | 'sameHolder'
  /** Nothing that tells one use of the key from another has changed. */
  | 'unchanged';

/** The records of a table, one at a time. */
export interface Records {
  /** Strongly consistent. */
  find(pk: string): Promise<IdempotencyRecord | undefined>;
  /** Deletes the record if it still is what was shown. */
  remove(pk: string, shown: IdempotencyRecord, likeness: Likeness): Promise<Removal>;
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
    async remove(pk, shown, likeness) {
      const answer = await table.delete({ ...at(pk), ...conditionOf(shown, likeness) });
      if (answer.written) return { outcome: 'removed' };
      const record = answer.found ? readRecord(answer.found) : await find(pk);
      // Where another copy of this very deletion came through, or TTL was first, what was asked for is so.
      return record === undefined ? { outcome: 'gone' } : { outcome: 'changed', record };
    },
  };
}

/** A record of the classic form has no owner: there the end of its lock tells one use of the key from the next. */
function conditionOf(shown: IdempotencyRecord, likeness: Likeness) {
  const { status, expiresAt, owner, attempt } = shown;
  const same: Record<string, unknown> =
    owner === undefined
      ? { status, expiresAt }
      : likeness === 'sameHolder'
        ? { status, owner }
        : { status, owner, attempt, expiresAt };
  const equal = Object.keys(same).map((name) => `#${name} = :${name}`);
  return {
    ConditionExpression: [...equal, ...(owner === undefined ? ['attribute_not_exists(#owner)'] : [])].join(
      ' AND ',
    ),
    ExpressionAttributeNames: Object.fromEntries(
      [...Object.keys(same), ...(owner === undefined ? ['owner'] : [])].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(same).map(([name, value]) => [`:${name}`, value]),
    ),
  };
}
