import { createHash } from 'node:crypto';
import type { Clock } from './clock';

/**
 * What became of a call, or happened to it on the way. A call has as many as apply: one that took a dead run over and
 * then ran the work has two.
 *
 * - `executed`: the work ran, and its outcome is recorded (its result, an error that `rememberError` kept, or what
 *   `onOrphan` found).
 * - `replayed`: the answer is a recorded outcome; the work was not run for it.
 * - `inProgress`: another call holds the lock; this one threw StillInProgressError.
 * - `waited`: a wait for the call that holds the lock is over, by whatever it has come to.
 * - `takenOver`: an earlier run died with its lock, and this call has taken it over: what it did may be done twice.
 * - `lockLost`: this call's lock ended and another has taken over: what it did may have been done twice.
 * - `released`: the key is free again, since the work failed or was not begun; a retry runs it.
 * - `resultUnavailable`: the work is done, but its result could not be stored: duplicates get ResultUnavailableError.
 * - `storeError`: the table failed in a step of the call.
 */
export type Outcome =
  | 'executed'
  | 'replayed'
  | 'inProgress'
  | 'waited'
  | 'takenOver'
  | 'lockLost'
  | 'released'
  | 'resultUnavailable'
  | 'storeError';

/** One outcome of one call. It names the key by a hash only, and has nothing of the payload. */
export interface Observation {
  outcome: Outcome;
  /** The table's name, as it was given. */
  table: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the key as it is stored, prefix included. */
  keyHash: string;
  /** Of the run that the outcome concerns: 1 for the first; 0 where the table failed before it was known. */
  attempt: number;
  /** Since the call began. */
  milliseconds: number;
}

/**
 * Is told of each outcome, before the call that it concerns returns. Calls wait for no promise that it returns: what
 * it does in the background may not get done before Lambda freezes the process. That it throws or rejects changes no
 * call, and is reported once as a process warning.
 */
export type Observer = (observation: Observation) => unknown;

/** Tells an outcome of one call, with the attempt that it concerns. Never throws. */
export type Tell = (outcome: Outcome, attempt: number) => void;

/** What tells the outcomes of a call that begins now, by the key as it is stored. */
export type Teller = (pk: string) => Tell;

export const silent: Teller = () => () => {};

/** The name of the metric that counts an outcome: the module's alarms and dashboard ask for these. */
export const METRICS: Record<Outcome, string> = {
  executed: 'Executed',
  replayed: 'Replayed',
  inProgress: 'InProgress',
  waited: 'Waited',
  takenOver: 'TakenOver',
  lockLost: 'LockLost',
  released: 'Released',
  resultUnavailable: 'ResultUnavailable',
  storeError: 'StoreError',
};

/** Tells each of the observers. Without any it does nothing, and hashes nothing. */
export function tellerOf(observers: Observer[], table: string, clock: Clock): Teller {
  if (observers.length === 0) return silent;
  const failed = new WeakSet<Observer>();

  return (pk) => {
    const began = clock.now();
    return (outcome, attempt) => {
      // A clock that is set back in the meantime takes no time from anybody.
      const milliseconds = Math.max(0, clock.now() - began);
      for (const observe of observers) {
        observed(observe, { outcome, table, keyHash: keyHash(pk), attempt, milliseconds })
          .catch((error) => {
            if (failed.has(observe)) return;
            failed.add(observe);
            process.emitWarning(`An observer threw ${Object(error).name}. No call is changed by it.`, {
              type: 'IdempotencyWarning',
              code: 'IDEMPOTENCY_OBSERVER',
            });
          })
          // For an error whose very name throws: unhandled, it would end the process.
          .catch(() => {});
      }
    };
  };
}

// Asynchronous, so that whatever the observer throws, even at once, is a rejection.
async function observed(observe: Observer, observation: Observation): Promise<void> {
  await observe(observation);
}

/** A name for a key in logs, where keys in clear do not belong: 16 hexadecimal digits. */
export function keyHash(pk: string): string {
  return createHash('sha256').update(pk).digest('hex').slice(0, 16);
}
