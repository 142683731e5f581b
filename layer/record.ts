import type { StoredResult } from './result';
import type { Item } from './table';

/** What one key's item says, whoever wrote it. */
export interface IdempotencyRecord extends StoredResult {
  status: 'IN_PROGRESS' | 'COMPLETED';
  /** Epoch seconds: the lock's end while in progress, retention's end once completed. The TTL attribute. */
  expiresAt: number;
  /** Epoch seconds of the lock's end where the record outlives it: for calls that do not retry what has died. */
  lockedUntil?: number;
  /** The one call that holds, or held, the lock. Absent in records of the classic form. */
  owner?: string;
  /** How many times this record has been claimed. */
  attempt: number;
  /** Hash of the request, where the caller gave one. */
  fingerprint?: string;
  /** `ERROR` when the result is an error to throw. */
  outcome?: string;
  /** The result of a record of the classic form, which stores the value itself as DynamoDB attributes. */
  classicResult?: unknown;
}

/**
 * Reads an item, also one that code of the classic form wrote: `pk`, `status`, `expiresAt`, `result` and nothing
 * else. Such an item has no owner, and its `result` is the value itself, not an encoding of it.
 */
export function readRecord(item: Item): IdempotencyRecord {
  const { pk: _, status, expiresAt, owner, attempt, result, ...rest } = item;
  const record: IdempotencyRecord = {
    status: status === 'COMPLETED' ? 'COMPLETED' : 'IN_PROGRESS',
    expiresAt: typeof expiresAt === 'number' ? expiresAt : 0,
    attempt: typeof attempt === 'number' ? attempt : 1,
  };
  if (owner === undefined) return { ...record, classicResult: result };
  return {
    ...record,
    ...rest,
    owner: String(owner),
    ...(result === undefined ? {} : { result: result as string }),
  };
}

/** Epoch seconds of the lock's end; only that of a record in progress means anything. */
export function lockEndOf(record: IdempotencyRecord): number {
  return record.lockedUntil ?? record.expiresAt;
}

/** A lock ends with its second: in that second a clock that runs ahead may not yet claim it. */
export function hasEnded(epochSeconds: number, nowMilliseconds: number): boolean {
  return epochSeconds < Math.floor(nowMilliseconds / 1000);
}
