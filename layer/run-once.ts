import { randomUUID } from 'node:crypto';
import { ConfigurationError, LockLostError, ResultUnavailableError, StillInProgressError } from './errors';
import { storedKey } from './key';
import { wholeLockSeconds } from './lock';
import type { IdempotencyRecord } from './record';
import { decodeResult, encodeResult } from './result';
import type { Clock, Lease, Store } from './store';

/** What the work is told of the call that runs it. */
export interface Run {
  /** The key as given by the caller. */
  readonly key: string;
  /** 1 for the first run; 2 and up after a takeover from a run whose lock ended without a completion. */
  readonly attempt: number;
}

export type Work<T> = (run: Run) => Promise<T> | T;

/**
 * Runs `work` at most once per key: the first call runs it and stores its result, later calls get that result.
 *
 * @param key Names the operation, not the delivery: `order-confirmation#1042`.
 * @param lockSeconds How long this call may take before another may take over, in seconds: `lockSecondsFor(context)`.
 * @returns The stored result, decoded: the same for the first caller and for every later one.
 * @throws StillInProgressError when another call holds the lock.
 * @throws LockLostError when this call's lock ended and another call has taken over.
 * @throws ResultUnavailableError when the work is done, but its result could not be stored.
 * @throws InvalidKeyError, ConfigurationError for a wrong call; StoreError when the table fails. Then no work was
 *   run, unless the message says otherwise.
 * @throws whatever `work` throws; the key is released first, so that a retry runs it again.
 * @example
 * await runOnce(`order-confirmation#${id}`, lockSecondsFor(context), () => send(order))
 */
export type RunOnce = <T>(key: string, lockSeconds: number, work: Work<T>) => Promise<T>;

export interface Parts {
  store: Store;
  clock: Clock;
  keyPrefix: string;
  keepForSeconds: number;
}

/** The flow, whole: claim, work, complete; or answer from the record that stands there. */
export function runOnceWith({ store, clock, keyPrefix, keepForSeconds }: Parts): RunOnce {
  return async <T>(key: string, lockSeconds: number, work: Work<T>): Promise<T> => {
    if (typeof work !== 'function') throw notAFunction(work);
    const pk = storedKey(keyPrefix, key);
    const claim = await store.claim(pk, randomUUID(), wholeLockSeconds(lockSeconds));
    if (claim.record) return answerFrom(claim.record, clock) as T;
    const { lease } = claim;
    if (clock.now() >= lease.expiresAt * 1000) throw lostBeforeTheWork();

    let value: T;
    try {
      value = await work({ key, attempt: lease.attempt });
    } catch (error) {
      await releaseAfterFailure(store, lease);
      throw error;
    }

    const result = encodeResult(value);
    const standing = await store.complete(lease, keepForSeconds, result);
    if (standing?.status === 'IN_PROGRESS') throw lostDuringTheWork();
    if (standing) return answerFrom(standing, clock) as T;
    if (result.resultUnavailable === undefined) return decodeResult(result) as T;
    warn('IDEMPOTENCY_RESULT_UNAVAILABLE', `A result is not stored, because ${result.resultUnavailable}.`);
    return value;
  };
}

function answerFrom(record: IdempotencyRecord, clock: Clock): unknown {
  if (record.status === 'IN_PROGRESS') {
    throw new StillInProgressError(Math.max(1, Math.ceil(record.expiresAt + 1 - clock.now() / 1000)));
  }
  if (record.resultUnavailable !== undefined) {
    throw new ResultUnavailableError(
      `The work is done and will not run again, but its result is not stored, because ${record.resultUnavailable}. Return less from the work, or look the outcome up where the work left it.`,
    );
  }
  return record.owner === undefined ? record.classicResult : decodeResult(record);
}

/** The work's own error goes to the caller whatever becomes of the record, which at worst stays until its lock ends. */
async function releaseAfterFailure(store: Store, lease: Lease): Promise<void> {
  try {
    await store.release(lease);
  } catch (error) {
    warn('IDEMPOTENCY_NOT_RELEASED', (error as Error).message);
  }
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
    'The table answered only after the lock had ended, so the work was not run. Retry; ask for a longer lock if it happens again.',
  );
}

function lostDuringTheWork(): LockLostError {
  return new LockLostError(
    'The lock ended while the work ran, and another call has taken over and is still in progress. The work may run twice: ask for a lock as long as the work can take.',
  );
}
