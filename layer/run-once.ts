import { checkFingerprint, isOtherRequest, outcomeOf, stillInProgress } from './answer';
import type { RecordCache } from './cache';
import { type Call, type RunOnceOptions, readCall } from './call';
import type { Clock } from './clock';
import {
  CommitRefusedError,
  ConfigurationError,
  LockLostError,
  ResultUnavailableError,
  StoreError,
} from './errors';
import type { Teller } from './observer';
import { decideOnOrphan } from './orphan';
import { patiently } from './patience';
import { hasEnded, type IdempotencyRecord, lockEndOf } from './record';
import { type Codec, decodeResult, encodeResult, type StoredResult } from './result';
import { lockTaken, openRun, type Run } from './run';
import type { ClaimRequest, Completion, Lease, Store } from './store';
import type { TransactItem } from './table';
import { waitForChange } from './wait';

/** What is run once per key: the side effect. What it answers, or resolves to, is stored. */
export type Work<T> = (run: Run) => Promise<T> | T;

/**
 * Runs `work` at most once per key: the first call runs it and stores its result, later calls get that result.
 *
 * @param key Names the operation, not the delivery: `order-confirmation#1042`.
 * @param lock How long this call may take before another may take over, in seconds, or {@link RunOnceOptions}.
 * @returns The stored result, decoded: the same for the first caller and for every later one.
 * @throws StillInProgressError when another call holds the lock.
 * @throws LockLostError when this call's lock ended and another call has taken over.
 * @throws ResultUnavailableError when the work is done, but its result could not be stored.
 * @throws KeyReusedError when the key was used for a request with another fingerprint.
 * @throws OrphanedError when an earlier run died and `onOrphan` says not to run again.
 * @throws CommitRefusedError when a condition of the work's own writes, given to `run.commit`, does not hold.
 * @throws InvalidKeyError, ConfigurationError for a wrong call; StoreError when the table fails. Then no work was
 *   run, unless the message says otherwise.
 * @throws whatever `work` throws; the key is released first, so that a retry runs it again.
 * @example
 * await runOnce(`order-confirmation#${id}`, lockSecondsFor(context), () => send(order))
 * @example
 * await runOnce(`charge#${id}`, { context, fingerprint: { amount }, whenInProgress: 'wait' }, (run) =>
 *   charge(amount, { idempotencyKey: run.idempotencyKey(), signal: run.signal }))
 */
export type RunOnce = <T>(key: string, lock: number | RunOnceOptions, work: Work<T>) => Promise<T>;

export interface Parts {
  store: Store;
  clock: Clock;
  keyPrefix: string;
  keepForSeconds: number;
  codec?: Codec | undefined;
  cache?: RecordCache | undefined;
  teller?: Teller;
}

// The work's error waits for no more than this.
const TO_RELEASE_MILLISECONDS = 3000;

// How often a dead run may be lost to others that take it over, before the key counts as busy.
const TAKEOVER_TRIES = 3;

export function runOnceWith(parts: Parts): RunOnce {
  const { store, clock, codec, cache } = parts;

  /** Until the key is won, or its record answers. */
  async function runOnce<T>(key: string, lock: number | RunOnceOptions, work: Work<T>): Promise<T> {
    if (typeof work !== 'function') throw notAFunction(work);
    const call = readCall(key, lock, parts);
    const cached = cache?.get(call.pk);
    if (cached) return answer(cached, call);

    let orphan: { owner: string | undefined } | undefined;
    let found: { result: unknown } | undefined;
    for (let lost = 0; ; ) {
      const claim = await told(call, 0, store.claim(claimRequest(call, orphan), call.deadline()));
      if (claim.lease) {
        if (claim.takenOver) call.tell('takenOver', claim.lease.attempt);
        return runAndComplete(call, claim.lease, found ? resultOf<T>(found) : work);
      }
      const { record } = claim;
      if (orphan && ++lost < TAKEOVER_TRIES) {
        // Someone else was quicker to take it over, or it is gone: look anew.
        orphan = undefined;
        continue;
      }
      if (record.status === 'COMPLETED') return answer(record, call);
      checkFingerprint(record, call);
      if (!orphan && call.onOrphan !== 'retry' && hasEnded(lockEndOf(record), clock.now())) {
        const decision = await decideOnOrphan(call, record);
        found = decision === 'retry' ? undefined : decision;
        orphan = { owner: record.owner };
      } else if (orphan || !(await changed(record, call))) {
        call.tell('inProgress', record.attempt);
        throw stillInProgress(record, clock);
      }
    }
  }

  /** Whether the key is worth another claim, once the call has waited for the one that holds it. */
  function changed({ attempt }: IdempotencyRecord, call: Call): Promise<boolean> {
    return told(call, attempt, waitForChange(store, clock, call, attempt));
  }

  /** The work and its completion, in the lease. */
  async function runAndComplete<T>(call: Call, lease: Lease, work: Work<T>): Promise<T> {
    if (clock.now() >= lease.endsAt * 1000) {
      await release(call, lease);
      throw lostBeforeTheWork();
    }
    const run = openRun({ ...call, lease, store, clock });
    let value: T;
    try {
      value = await work(run);
    } catch (error) {
      await run.close();
      await (remembers(call, error) ? rememberError(call, lease, error) : release(call, lease));
      throw error;
    }
    await run.close();

    const result = await encodeResult(value, codec);
    const completed = await complete(call, lease, result, run.items);
    if (completed.by === 'nobody') {
      await release(call, lease);
      throw new CommitRefusedError(completed.index, completed.reason, completed.cause);
    }
    if (completed.by === 'another') return answerOfAnother(completed.record, call);
    if (result.resultUnavailable === undefined)
      return told(call, lease.attempt, decodeResult(result, codec)) as T;
    warn('IDEMPOTENCY_RESULT_UNAVAILABLE', `A result is not stored, because ${result.resultUnavailable}.`);
    return value;
  }

  async function complete(
    call: Call,
    lease: Lease,
    result: StoredResult,
    items: TransactItem[],
    outcome?: 'ERROR',
  ) {
    const expiresAt = Math.ceil(clock.now() / 1000 + call.keepForSeconds);
    const completion = { ...result, expiresAt, ...(outcome && { outcome }) };
    const by = call.completeBy(lease.endsAt);
    const completing = patiently(clock, by, () => store.complete(lease, completion, items, by));
    const completed = await told(call, lease.attempt, completing);
    if (completed.by === 'another') call.tell('lockLost', lease.attempt);
    if (completed.by === 'me') {
      cache?.put(call.pk, recordOf(lease, completion));
      call.tell('executed', lease.attempt);
      if (result.resultUnavailable !== undefined) call.tell('resultUnavailable', lease.attempt);
    }
    return completed;
  }

  async function answer<T>(record: IdempotencyRecord, call: Call): Promise<T> {
    checkFingerprint(record, call);
    cache?.put(call.pk, record);
    const outcome = await told(call, record.attempt, outcomeOf(record, codec));
    call.tell('replayed', record.attempt);
    if (record.outcome === 'ERROR') throw outcome;
    return outcome as T;
  }

  /** This call's lock was taken over: what the new owner has completed is the answer, if it was the same request. */
  async function answerOfAnother<T>(record: IdempotencyRecord | undefined, call: Call): Promise<T> {
    if (record?.status !== 'COMPLETED' || isOtherRequest(record, call)) throw lockTaken();
    return answer(record, call);
  }

  /** The work's own error goes to the caller whatever becomes of the record, which at worst stays for a while. */
  async function release(call: Call, lease: Lease): Promise<void> {
    const by = Math.min(call.completeBy(lease.endsAt), clock.now() + TO_RELEASE_MILLISECONDS);
    const releasing = patiently(clock, by, () => store.release(lease, by)).then((held) =>
      call.tell(held ? 'released' : 'lockLost', lease.attempt),
    );
    await told(call, lease.attempt, releasing).catch((error) =>
      warn('IDEMPOTENCY_NOT_RELEASED', error.message),
    );
  }

  async function rememberError(call: Call, lease: Lease, error: unknown): Promise<void> {
    const whole = await encodeResult(error, codec);
    const { name, message } = Object(error) as Error;
    const least = () => encodeResult(Object.assign(new Error(message), { name }), codec);
    const result = whole.resultUnavailable === undefined ? whole : await least();
    await complete(call, lease, result, [], 'ERROR').catch((failure) =>
      warn('IDEMPOTENCY_ERROR_NOT_REMEMBERED', failure.message),
    );
  }

  return runOnce;
}

function claimRequest(call: Call, orphan: { owner: string | undefined } | undefined): ClaimRequest {
  const { pk: key, owner, fingerprint, keepForSeconds: leaveFor } = call;
  const leave = orphan ? { leaveFor, of: orphan.owner } : { leaveFor };
  const orphans = call.onOrphan === 'retry' ? ({ take: true } as const) : leave;
  return { key, owner, fingerprint, lockSeconds: call.lockSeconds(), orphans };
}

/** What the table or a record answers; that it does not is told, and thrown. */
function told<T>(call: Call, attempt: number, answer: Promise<T>): Promise<T> {
  return answer.catch((error) => {
    if (error instanceof StoreError) call.tell('storeError', attempt);
    if (error instanceof ResultUnavailableError) call.tell('resultUnavailable', attempt);
    throw error;
  });
}

/** In place of the work: what the caller has found out about the dead run's outcome. */
function resultOf<T>({ result }: { result: unknown }): Work<T> {
  return () => result as T;
}

/** Whether the error is the work's outcome. That its lock was lost is never that, whatever the caller says. */
function remembers(call: Call, error: unknown): boolean {
  try {
    return !(error instanceof LockLostError) && call.rememberError(error) === true;
  } catch (failure) {
    warn('IDEMPOTENCY_ERROR_NOT_REMEMBERED', `rememberError threw ${(failure as Error)?.name}.`);
    return false;
  }
}

function recordOf({ owner, attempt, fingerprint }: Lease, completion: Completion): IdempotencyRecord {
  return {
    status: 'COMPLETED',
    owner,
    attempt,
    ...completion,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

// A process warning reaches the function's log, and a listener where there is one, without a logger of our own.
// https://nodejs.org/api/process.html#processemitwarningwarning-options
function warn(code: string, message: string): void {
  process.emitWarning(message, { type: 'IdempotencyWarning', code });
}

function notAFunction(work: unknown): ConfigurationError {
  return new ConfigurationError(
    `work must be a function, but it is of type ${typeof work}. Pass the work itself, not its result: () => send(order).`,
  );
}

function lostBeforeTheWork(): LockLostError {
  return new LockLostError(
    'The table answered only after the lock had ended, so the work was not run. Let the caller retry; ask for a longer lock if it happens again.',
  );
}
