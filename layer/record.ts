import type { StoredResult } from './result';
import type { Item } from './table';

/** What one key's item says, whoever wrote it. */
export interface IdempotencyRecord extends StoredResult {
  status: 'IN_PROGRESS' | 'COMPLETED';
  /** Epoch seconds: the lock's end while in progress, retention's end once completed. The TTL attribute. */
  expiresAt: number;
  /** The one call that holds, or held, the lock. Absent in records of the classic form. */
  owner?: string;
  /** How many times this record has been claimed. */
  attempt: number;
  /** The result of a record of the classic form, which stores the value itself as DynamoDB attributes. */
  classicResult?: unknown;
}

/**
 * Reads an item, also one that code of the classic form wrote: `pk`, `status`, `expiresAt`, `result` and nothing
 * else. Such an item has no owner, and its `result` is the value itself, not an encoding of it.
 */
export function readRecord(item: Item): IdempotencyRecord {
  const { status, expiresAt, owner, attempt, result, codec, resultUnavailable } = item;
  const record: IdempotencyRecord = {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'IN_PROGRESS',
    expiresAt: typeof expiresAt === 'number' ? expiresAt : 0,
    attempt: typeof attempt === 'number' ? attempt : 1,
  };
  if (owner === undefined) return { ...record, classicResult: result };
  record.owner = String(owner);
  if (result !== undefined) record.result = result as string | Uint8Array;
  if (codec !== undefined) record.codec = codec as 'devalue';
  if (resultUnavailable !== undefined) record.resultUnavailable = String(resultUnavailable);
  return record;
}
