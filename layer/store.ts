import { type IdempotencyRecord, readRecord } from './record';
import type { StoredResult } from './result';
import { storeError } from './store-error';
import type { DeleteInput, Item, Table, UpdateInput, Written } from './table';

/** Tells the time in epoch milliseconds; the tests' clocks also jump. */
export interface Clock {
  now(): number;
}

/** One call's hold on a key: every write after the claim names its owner, so that only the owner's has an effect. */
export interface Lease {
  key: string;
  owner: string;
  attempt: number;
  /** Epoch seconds of the lock's end. */
  expiresAt: number;
}

export type Claim = { lease: Lease; record?: undefined } | { lease?: undefined; record: IdempotencyRecord };

/** The protocol's writes and their conditions. What follows from an answer is decided by the caller. */
export interface Store {
  /** The lease, or the record that stands in its way. */
  claim(key: string, owner: string, lockSeconds: number): Promise<Claim>;
  /** Nothing once the record is completed by this lease, or the record that another call has put in its place. */
  complete(
    lease: Lease,
    keepForSeconds: number,
    result: StoredResult,
  ): Promise<IdempotencyRecord | undefined>;
  /** Removes the record if the lease still holds it. */
  release(lease: Lease): Promise<void>;
}

// A record can vanish between the write that it refused and the read that asks for it; three times in a row means
// that the key is busy, and then its last known record is the answer.
const CLAIM_TRIES = 3;

const BUSY: IdempotencyRecord = { status: 'IN_PROGRESS', expiresAt: 0, attempt: 1 };

export function createStore(table: Table, tableName: string, clock: Clock): Store {
  const at = (key: string) => ({ TableName: tableName, Key: { pk: key } });

  /** The record that refused a write: returned with the refusal, or else read, strongly consistent. */
  async function standing(key: string, refusal: Written & { written: false }) {
    const item = refusal.found ?? (await table.get(at(key)));
    return item && readRecord(item);
  }

  async function claim(key: string, owner: string, lockSeconds: number): Promise<Claim> {
    let record: IdempotencyRecord | undefined;
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      const now = clock.now() / 1000;
      // Rounded so that no lock ends early: its end up, the moment it is compared with down.
      const expiresAt = Math.ceil(now + lockSeconds);
      const answer = await table.update({
        ...at(key),
        ...claimExpression(owner, Math.floor(now), expiresAt),
      });
      if (answer.written) {
        return { lease: { key, owner, attempt: attemptAfter(answer.old), expiresAt } };
      }
      record = await standing(key, answer);
      if (record === undefined) continue;
      // A write whose response was lost, and that the client sent again, meets its own record.
      if (record.owner === owner && record.status === 'IN_PROGRESS') {
        return { lease: { key, owner, attempt: record.attempt, expiresAt: record.expiresAt } };
      }
      if (record.expiresAt >= Math.floor(clock.now() / 1000)) break;
    }
    return { record: record ?? BUSY };
  }

  async function complete(lease: Lease, keepForSeconds: number, result: StoredResult) {
    const expiresAt = Math.ceil(clock.now() / 1000 + keepForSeconds);
    const answer = await table.update({
      ...at(lease.key),
      ...completeExpression(lease, expiresAt, result),
    });
    if (answer.written) return undefined;
    const record = await standing(lease.key, answer);
    // Refused and yet gone, or completed by this very lease: an earlier send of this write had its effect.
    if (record === undefined) return undefined;
    return record.owner === lease.owner && record.status === 'COMPLETED' ? undefined : record;
  }

  async function release(lease: Lease) {
    await table.delete({ ...at(lease.key), ...ownedExpression(lease.owner) });
  }

  return {
    claim: (...input) => claim(...input).catch(storeError('claim', tableName)),
    complete: (...input) => complete(...input).catch(storeError('complete', tableName)),
    release: (...input) => release(...input).catch(storeError('release', tableName)),
  };
}

function attemptAfter(old: Item | undefined): number {
  return old ? readRecord(old).attempt + 1 : 1;
}

type DeleteExpression = Omit<DeleteInput, 'TableName' | 'Key'>;
type UpdateExpression = Omit<UpdateInput, 'TableName' | 'Key'>;

// `attribute_not_exists` and the expiry in one condition: an ended lock that TTL has not deleted yet counts as absent.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
function claimExpression(owner: string, now: number, expiresAt: number): UpdateExpression {
  return {
    ConditionExpression: 'attribute_not_exists(pk) OR #expiresAt < :now',
    UpdateExpression:
      'SET #status = :inProgress, #expiresAt = :expiresAt, #owner = :owner, #attempt = if_not_exists(#attempt, :zero) + :one REMOVE #result, #codec, #resultUnavailable',
    ExpressionAttributeNames: names(
      'status',
      'expiresAt',
      'owner',
      'attempt',
      'result',
      'codec',
      'resultUnavailable',
    ),
    ExpressionAttributeValues: {
      ':inProgress': 'IN_PROGRESS',
      ':expiresAt': expiresAt,
      ':owner': owner,
      ':now': now,
      ':zero': 0,
      ':one': 1,
    },
  };
}

// The record may be gone (TTL may delete it once its lock has ended): then nobody else holds the key, and recording
// the completion keeps the work from running again. So the write carries the whole record.
function completeExpression(lease: Lease, expiresAt: number, result: StoredResult): UpdateExpression {
  const owned = ownedExpression(lease.owner);
  const stored = Object.entries(result);
  return {
    ConditionExpression: `attribute_not_exists(pk) OR (${owned.ConditionExpression})`,
    UpdateExpression: [
      'SET #status = :completed, #expiresAt = :expiresAt, #owner = :owner, #attempt = :attempt',
      ...stored.map(([name]) => `#${name} = :${name}`),
    ].join(', '),
    ExpressionAttributeNames: {
      ...owned.ExpressionAttributeNames,
      ...names('expiresAt', 'attempt', ...stored.map(([name]) => name)),
    },
    ExpressionAttributeValues: {
      ...owned.ExpressionAttributeValues,
      ':completed': 'COMPLETED',
      ':expiresAt': expiresAt,
      ':attempt': lease.attempt,
      ...Object.fromEntries(stored.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

function ownedExpression(owner: string): DeleteExpression {
  return {
    ConditionExpression: '#owner = :owner AND #status = :inProgress',
    ExpressionAttributeNames: names('owner', 'status'),
    ExpressionAttributeValues: { ':owner': owner, ':inProgress': 'IN_PROGRESS' },
  };
}

/** Every name goes through a placeholder: `status`, `owner` and others are reserved words. */
function names(...attributes: string[]): Record<string, string> {
  return Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute]));
}
