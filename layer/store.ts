import type { Clock } from './clock';
import { inTime } from './patience';
import { hasEnded, type IdempotencyRecord, lockEndOf, readRecord } from './record';
import type { StoredResult } from './result';
import { type Step, storeError } from './store-error';
import type { DeleteInput, ItemInput, Table, TransactItem, UpdateInput, Written } from './table';
import { passingReason, refusedItem } from './transaction-reasons';

export interface ClaimRequest {
  key: string;
  /** The token of this one call. */
  owner: string;
  lockSeconds: number;
  fingerprint?: string | undefined;
  /** What a record whose run has died, and whose lock has ended, means for this claim. */
  orphans: Orphans;
}

/**
 * `take`: it counts as absent. `leave`: it refuses the claim, and the claim's own record is kept that many seconds
 * after its lock, so that TTL does not make it absent. `of`: only the orphan of that owner is taken over.
 */
export type Orphans = { take: true } | { leaveFor: number } | { leaveFor: number; of: string | undefined };

/** One call's hold on a key: every write after the claim names its owner, so that only the owner's has an effect. */
export interface Lease {
  readonly key: string;
  readonly owner: string;
  readonly attempt: number;
  readonly fingerprint?: string | undefined;
  /** Epoch seconds of the lock's end. */
  endsAt: number;
  /** Seconds for which the record outlives its lock. */
  readonly outlives: number;
}

/** The lease, and whether it was taken over from a run that died; or the record that stands in its way. */
export type Claim = { lease: Lease; takenOver: boolean } | { lease?: undefined; record: IdempotencyRecord };

export interface Completion extends StoredResult {
  outcome?: 'ERROR';
  /** Epoch seconds of retention's end. */
  expiresAt: number;
}

/** What a completion met: its effect, another call's record, no record, or the refusal of one of the work's writes. */
export type Completed =
  | { by: 'me' }
  | { by: 'another'; record: IdempotencyRecord | undefined }
  | { by: 'nobody'; index: number; reason: string; cause: unknown };

/**
 * The protocol's writes and their conditions. What follows from an answer is decided by the caller, who also says, in
 * epoch milliseconds, until when to wait for one.
 *
 * Each throws StoreError, which names the step, the cause, the fix, and what it means for the work.
 */
export interface Store {
  /** The lease, or the record that stands in its way. */
  claim(request: ClaimRequest, deadline: number): Promise<Claim>;
  /** The record of a key, strongly consistent. */
  find(key: string, deadline: number): Promise<IdempotencyRecord | undefined>;
  /** Moves the lock's end, never to an earlier one; `false` once the lease has lost its record. */
  extend(lease: Lease, endsAt: number, deadline: number): Promise<boolean>;
  /** Records the completion, together with the work's own writes where there are some. */
  complete(lease: Lease, completion: Completion, items: TransactItem[], deadline: number): Promise<Completed>;
  /** Removes the record if the lease still holds it; `false` where another call's is seen in its place. */
  release(lease: Lease, deadline: number): Promise<boolean>;
}

// A record can vanish, or end, between the write that it refused and the moment that it is looked at; three times in a
// row means that the key is busy.
const TRIES = 3;

export function createStore(table: Table, tableName: string, clock: Clock): Store {
  const at = (key: string): ItemInput => ({ TableName: tableName, Key: { pk: key } });

  const step = <T>(name: Step, deadline: number, operation: (signal?: AbortSignal) => Promise<T>) =>
    inTime(clock, deadline, operation).catch(storeError(name, tableName));

  async function find(key: string, signal?: AbortSignal) {
    const item = await table.get(at(key), signal);
    return item && readRecord(item);
  }

  /** The record that refused a write: returned with the refusal, or else read. */
  async function standing(key: string, refusal: Written & { written: false }, signal?: AbortSignal) {
    return refusal.found ? readRecord(refusal.found) : find(key, signal);
  }

  async function claim(request: ClaimRequest, signal?: AbortSignal): Promise<Claim> {
    const { key, owner, lockSeconds, fingerprint, orphans } = request;
    const outlives = 'take' in orphans ? 0 : orphans.leaveFor;
    let record: IdempotencyRecord | undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      // Where the client does not end its own tries, at least nothing new is begun.
      signal?.throwIfAborted();
      const now = clock.now() / 1000;
      // Rounded so that no lock ends early: its end up, the moment it is compared with down.
      const lease = { key, owner, fingerprint, outlives, attempt: 1, endsAt: Math.ceil(now + lockSeconds) };
      const expression = claimExpression(lease, Math.floor(now), orphans);
      const answer = await table.update({ ...at(key), ...expression }, signal);
      if (answer.written) return takenFrom(answer.old && readRecord(answer.old), lease);
      record = await standing(key, answer, signal);
      // A write whose response was lost, and that the client sent again, meets its own record.
      if (record?.owner === owner && record.status === 'IN_PROGRESS') {
        const own = { ...lease, attempt: record.attempt, endsAt: lockEndOf(record) };
        // What it was taken from is no longer seen. Rather one look too many than a death of which nobody is told.
        return { lease: own, takenOver: own.attempt > 1 };
      }
      if (!isClaimable(record, orphans, clock.now())) break;
    }
    return {
      record: record ?? { status: 'IN_PROGRESS', expiresAt: Math.ceil(clock.now() / 1000), attempt: 1 },
    };
  }

  async function extend(lease: Lease, endsAt: number, signal?: AbortSignal) {
    const answer = await table.update({ ...at(lease.key), ...extendExpression(lease, endsAt) }, signal);
    if (answer.written) return true;
    // Refused because the lock has been extended further by now: still one's own.
    const record = await standing(lease.key, answer, signal);
    return record?.owner === lease.owner;
  }

  async function complete(
    lease: Lease,
    completion: Completion,
    items: TransactItem[],
    signal?: AbortSignal,
  ): Promise<Completed> {
    const update = { ...at(lease.key), ...completeExpression(lease, completion, items.length > 0) };
    for (let tries = 1; ; tries++) {
      const answer =
        items.length > 0
          ? await commit(update, items, lease.owner, signal)
          : await table.update(update, signal);
      if ('by' in answer) return answer;
      if (answer.written) return { by: 'me' };
      const record = await standing(lease.key, answer, signal);
      // Completed by this very lease: an earlier send of this write had its effect.
      if (record?.owner === lease.owner && record.status === 'COMPLETED') return { by: 'me' };
      // Refused and yet gone by now: nobody holds the key any more, and the completion can be recorded after all.
      if (record !== undefined || items.length > 0 || tries === TRIES) return { by: 'another', record };
    }
  }

  /** The completion and the work's own writes, all or nothing; sent again with the owner's token, once. */
  async function commit(
    update: UpdateInput,
    items: TransactItem[],
    token: string,
    signal?: AbortSignal,
  ): Promise<Written | Completed> {
    const answer = await table.transact([{ Update: update }, ...items], token, signal);
    if (answer.written) return answer;
    const { reasons, cause } = answer;
    const [mine, ...theirs] = reasons;
    if (mine === 'ConditionalCheckFailed') return { written: false };
    const passing = passingReason(reasons, cause);
    if (passing) throw passing;
    const index = refusedItem(theirs);
    const reason = theirs[index];
    if (reason === undefined) throw cause;
    return { by: 'nobody', index, reason, cause };
  }

  async function release(lease: Lease, signal?: AbortSignal) {
    const answer = await table.delete({ ...at(lease.key), ...ownedExpression(lease.owner) }, signal);
    return answer.written || answer.found === undefined;
  }

  return {
    claim: (request, deadline) => step('claim', deadline, (signal) => claim(request, signal)),
    find: (key, deadline) => step('read', deadline, (signal) => find(key, signal)),
    extend: (lease, endsAt, deadline) => step('extend', deadline, (signal) => extend(lease, endsAt, signal)),
    complete: (lease, completion, items, deadline) =>
      step(items.length > 0 ? 'commit' : 'complete', deadline, (signal) =>
        complete(lease, completion, items, signal),
      ),
    release: (lease, deadline) => step('release', deadline, (signal) => release(lease, signal)),
  };
}

/** Whether the record, as it is seen now, would not refuse the claim again. */
function isClaimable(record: IdempotencyRecord | undefined, orphans: Orphans, now: number): boolean {
  if ('of' in orphans) return false;
  if (record === undefined) return true;
  if (record.status === 'COMPLETED') return hasEnded(record.expiresAt, now);
  return 'take' in orphans && hasEnded(lockEndOf(record), now);
}

/** The lease that a claim has won from the record that was there; one in progress was that of a run that died. */
function takenFrom(old: IdempotencyRecord | undefined, lease: Lease): Claim {
  if (old === undefined) return { lease, takenOver: false };
  return { lease: { ...lease, attempt: old.attempt + 1 }, takenOver: old.status === 'IN_PROGRESS' };
}

type DeleteExpression = Omit<DeleteInput, keyof ItemInput>;
type UpdateExpression = Omit<UpdateInput, keyof ItemInput>;

// An ended lock that TTL has not deleted yet counts as absent, in the same condition.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
const ENDED = '(#expiresAt < :now OR #lockedUntil < :now)';

function claimCondition(orphans: Orphans): { expression: string; values: Record<string, unknown> } {
  if ('take' in orphans) return { expression: `attribute_not_exists(pk) OR ${ENDED}`, values: {} };
  if (!('of' in orphans)) {
    const expression = 'attribute_not_exists(pk) OR (#expiresAt < :now AND #status = :completed)';
    return { expression, values: { ':completed': 'COMPLETED' } };
  }
  // A record of the classic form has no owner.
  const orphan = orphans.of === undefined ? 'attribute_not_exists(#owner)' : '#owner = :orphan';
  const values = orphans.of === undefined ? {} : { ':orphan': orphans.of };
  return { expression: `${orphan} AND #status = :status AND ${ENDED}`, values };
}

function claimExpression(lease: Lease, now: number, orphans: Orphans): UpdateExpression {
  const condition = claimCondition(orphans);
  const { fingerprint, owner } = lease;
  const set = {
    status: 'IN_PROGRESS',
    owner,
    ...lockOf(lease, lease.endsAt),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
  // Of what an earlier use of the key has left, nothing may stay: it would be read as this one's.
  const remove = ['result', 'codec', 'resultUnavailable', 'outcome', 'fingerprint', 'lockedUntil'].filter(
    (name) => !(name in set),
  );
  return {
    ConditionExpression: condition.expression,
    UpdateExpression: `SET ${assignments(set)}, #attempt = if_not_exists(#attempt, :zero) + :one REMOVE ${remove.map((name) => `#${name}`).join(', ')}`,
    ExpressionAttributeNames: names('attempt', ...Object.keys(set), ...remove),
    ExpressionAttributeValues: {
      ...valuesOf(set),
      ...condition.values,
      ':now': now,
      ':zero': 0,
      ':one': 1,
    },
  };
}

// Never to an earlier end: an extension that was long on its way arrives after a later one.
function extendExpression(lease: Lease, endsAt: number): UpdateExpression {
  const owned = ownedExpression(lease.owner);
  const set = lockOf(lease, endsAt);
  return {
    ConditionExpression: `${owned.ConditionExpression} AND #expiresAt <= :expiresAt`,
    UpdateExpression: `SET ${assignments(set)}`,
    ExpressionAttributeNames: { ...owned.ExpressionAttributeNames, ...names(...Object.keys(set)) },
    ExpressionAttributeValues: { ...owned.ExpressionAttributeValues, ...valuesOf(set) },
  };
}

// Without writes of the work, the side effect is done: then a record that is gone (TTL may delete it once its lock
// has ended) is held by nobody else, and recording the completion keeps the work from running again; so the write
// carries the whole record. With such writes nothing is done yet, and only the owner may do it.
function completeExpression(lease: Lease, completion: Completion, transacted: boolean): UpdateExpression {
  const owned = ownedExpression(lease.owner);
  const { owner, attempt, fingerprint, outlives } = lease;
  const set = {
    status: 'COMPLETED',
    owner,
    attempt,
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...completion,
  };
  const remove = outlives > 0 ? ['lockedUntil'] : [];
  return {
    ConditionExpression: transacted
      ? owned.ConditionExpression
      : `attribute_not_exists(pk) OR (${owned.ConditionExpression})`,
    UpdateExpression: `SET ${assignments(set)}${remove.length > 0 ? ' REMOVE #lockedUntil' : ''}`,
    ExpressionAttributeNames: names(...Object.keys(set), ...remove),
    ExpressionAttributeValues: { ...owned.ExpressionAttributeValues, ...valuesOf(set) },
  };
}

function ownedExpression(owner: string): DeleteExpression {
  return {
    ConditionExpression: '#owner = :owner AND #status = :inProgress',
    ExpressionAttributeNames: names('owner', 'status'),
    ExpressionAttributeValues: { ':owner': owner, ':inProgress': 'IN_PROGRESS' },
  };
}

/** The lock's end, in the TTL attribute itself unless the record outlives its lock. */
function lockOf(lease: Lease, endsAt: number): { expiresAt: number; lockedUntil?: number } {
  if (lease.outlives === 0) return { expiresAt: endsAt };
  return { expiresAt: endsAt + lease.outlives, lockedUntil: endsAt };
}

// Every name goes through a placeholder: `status`, `owner` and others are reserved words.
function names(...attributes: string[]): Record<string, string> {
  return Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute]));
}

function assignments(set: object): string {
  return Object.keys(set)
    .map((name) => `#${name} = :${name}`)
    .join(', ');
}

function valuesOf(set: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value]));
}
