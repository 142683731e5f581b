import { ConfigurationError } from './errors';

// Longer than any function runs; what exceeds it is nearly always milliseconds given as seconds.
const MAX_LOCK_SECONDS = 7 * 24 * 60 * 60;

// The longest that a function can run, and so the longest that a call without a context can be one.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html
const LONGEST_FUNCTION_SECONDS = 900;

/** The part of Lambda's context that tells how long the invocation may still run. */
export interface RemainingTime {
  /** Milliseconds until Lambda ends the invocation. */
  getRemainingTimeInMillis(): number;
}

/**
 * Seconds to lock a key for, so that the lock ends when Lambda would have ended the invocation: the time left,
 * rounded up, at least 1. Without a context (a script, a container) it is 900, the longest that a function can run.
 *
 * @example
 * await runOnce(key, lockSecondsFor(context), work)
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 */
export function lockSecondsFor(context?: RemainingTime): number {
  if (!context) return LONGEST_FUNCTION_SECONDS;
  return wholeLockSeconds(context.getRemainingTimeInMillis() / 1000);
}

/**
 * A lock is whole seconds and at least one: a deadline that has passed must neither lock for nothing nor for ever.
 *
 * @throws ConfigurationError for what is not a finite number, or is longer than seven days.
 */
export function wholeLockSeconds(lockSeconds: unknown): number {
  if (typeof lockSeconds !== 'number' || !Number.isFinite(lockSeconds)) {
    throw new ConfigurationError(
      `lockSeconds must be a finite number of seconds, but it is ${typeof lockSeconds === 'number' ? lockSeconds : `of type ${typeof lockSeconds}`}. Pass the seconds that the work may take, for instance 30, or lockSecondsFor(context).`,
    );
  }
  if (lockSeconds > MAX_LOCK_SECONDS) {
    throw new ConfigurationError(
      `lockSeconds is ${lockSeconds}, but a lock lasts at most ${MAX_LOCK_SECONDS} seconds (7 days). If the value is in milliseconds, divide it by 1000; the work was not run.`,
    );
  }
  return Math.max(1, Math.ceil(lockSeconds));
}
