import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';
import { ConfigurationError } from './errors';
import { fingerprintOf } from './fingerprint';
import { storedKey } from './key';
import { refuseUnknown } from './known-options';
import { lockSecondsFor, type RemainingTime, wholeLockSeconds } from './lock';
import { silent, type Tell, type Teller } from './observer';
import type { OnOrphan } from './orphan';
import { wholeRetentionSeconds } from './retention';

/** How one call is to be made. Every duration is in seconds. */
export interface RunOnceOptions {
  /** How long this call may take before another may take over. Give this or `context`. */
  lockSeconds?: number;
  /** Lambda's context: the lock then lasts as long as the invocation may still run, and no longer is waited or retried. */
  context?: RemainingTime;
  /** How long the result is kept and replayed. Default: that of `createRunOnce`, 86,400 (24 hours). */
  keepForSeconds?: number;
  /** What makes the request what it is, as a JSON value: the same key with another one throws `KeyReusedError`. */
  fingerprint?: unknown;
  /** For a duplicate of a call that still runs: `throw` StillInProgressError (default), or `wait` for its result. */
  whenInProgress?: 'throw' | 'wait';
  /** The longest to wait, with `wait`. Default: as long as the lock would last. Never past the invocation's end. */
  waitSeconds?: number;
  /** Extends the lock every third of it while the work runs, so that a short lock suits long work. Default: false. */
  heartbeat?: boolean;
  /** Whether an error that the work throws is its outcome, stored and thrown again on replay. Default: none is. */
  rememberError?: (error: unknown) => boolean;
  /** What to do about a run of this key that died, and may have had its effect. Default: `retry`. */
  onOrphan?: OnOrphan;
}

/** One call, checked and with every default in place. */
export interface Call {
  /** As given, and as stored. */
  key: string;
  pk: string;
  owner: string;
  /** Asked for anew at each claim, since with a context the time left shrinks while the call waits. */
  lockSeconds(): number;
  /** Epoch milliseconds until which to wait for the table; infinite where no context tells the invocation's end. */
  deadline(): number;
  /** Epoch milliseconds until which to try to record a completion: its loss would run the work again. */
  completeBy(lockEndsAt: number): number;
  keepForSeconds: number;
  fingerprint: string | undefined;
  /** Epoch milliseconds until which to wait for a call in progress; in the past for a call that does not wait. */
  waitUntil: number;
  heartbeat: boolean;
  rememberError: (error: unknown) => boolean;
  onOrphan: OnOrphan;
  tell: Tell;
}

const OPTIONS: (keyof RunOnceOptions)[] = [
  'lockSeconds',
  'context',
  'keepForSeconds',
  'fingerprint',
  'whenInProgress',
  'waitSeconds',
  'heartbeat',
  'rememberError',
  'onOrphan',
];

// An error must be thrown, and reach the log, before Lambda ends the invocation.
const TO_REPORT_MILLISECONDS = 200;

// Without a context nothing ends the process, and a lost completion would run the work again.
const TO_COMPLETE_MILLISECONDS = 10_000;

/**
 * @throws InvalidKeyError, ConfigurationError, before anything is sent.
 */
export function readCall(
  key: string,
  lock: number | RunOnceOptions,
  defaults: { clock: Clock; keyPrefix: string; keepForSeconds: number; teller?: Teller | undefined },
): Call {
  const pk = storedKey(defaults.keyPrefix, key);
  const options = typeof lock === 'object' && lock !== null ? lock : { lockSeconds: lock };
  refuseUnknown('runOnce', options, OPTIONS, '; the work was not run');
  const { context, whenInProgress = 'throw', waitSeconds, heartbeat = false, onOrphan = 'retry' } = options;
  if ((options.lockSeconds === undefined) === (context === undefined)) {
    throw wrong('lockSeconds and context', 'exactly one of them is needed', 'Pass { context } in Lambda');
  }
  if (context !== undefined && typeof context?.getRemainingTimeInMillis !== 'function') {
    throw wrong(
      'context',
      'it has no getRemainingTimeInMillis',
      'Pass the context that Lambda gives the handler',
    );
  }
  if (typeof heartbeat !== 'boolean')
    throw wrong('heartbeat', `it is of type ${typeof heartbeat}`, 'Pass true or false');
  if (whenInProgress !== 'throw' && whenInProgress !== 'wait') {
    throw wrong('whenInProgress', `it is ${JSON.stringify(whenInProgress)}`, "Pass 'throw' or 'wait'");
  }
  if (waitSeconds !== undefined && (whenInProgress !== 'wait' || !(waitSeconds > 0))) {
    throw wrong('waitSeconds', `it is ${waitSeconds}`, "Pass more than 0, with whenInProgress: 'wait'");
  }
  if (onOrphan !== 'retry' && onOrphan !== 'fail' && typeof onOrphan !== 'function') {
    throw wrong('onOrphan', `it is ${JSON.stringify(onOrphan)}`, "Pass 'retry', 'fail' or a function");
  }
  if (options.rememberError !== undefined && typeof options.rememberError !== 'function') {
    throw wrong('rememberError', 'it is no function', 'Pass (error) => error instanceof CardDeclined');
  }
  const lockSeconds = context ? () => lockSecondsFor(context) : () => wholeLockSeconds(options.lockSeconds);
  const { clock } = defaults;
  const now = clock.now();
  const lockMilliseconds = lockSeconds() * 1000;
  const deadline = () =>
    context ? clock.now() + timeToAnswer(context.getRemainingTimeInMillis()) : Number.POSITIVE_INFINITY;
  const wait =
    whenInProgress === 'wait' ? (waitSeconds === undefined ? lockMilliseconds : waitSeconds * 1000) : 0;
  return {
    key,
    pk,
    owner: randomUUID(),
    lockSeconds,
    deadline,
    completeBy: (lockEndsAt) =>
      context ? deadline() : Math.max(lockEndsAt * 1000, clock.now() + TO_COMPLETE_MILLISECONDS),
    keepForSeconds:
      options.keepForSeconds === undefined
        ? defaults.keepForSeconds
        : wholeRetentionSeconds(options.keepForSeconds),
    fingerprint: options.fingerprint === undefined ? undefined : fingerprintOf(options.fingerprint),
    waitUntil: Math.min(now + wait, deadline()),
    heartbeat,
    rememberError: options.rememberError ?? (() => false),
    onOrphan,
    tell: (defaults.teller ?? silent)(pk),
  };
}

/** What is left of an invocation, less the time to report; a context that has nothing left is not Lambda's. */
function timeToAnswer(remaining: number): number {
  return remaining > 0 ? Math.max(remaining - TO_REPORT_MILLISECONDS, remaining / 2) : 1000;
}

function wrong(option: string, value: string, fix: string): ConfigurationError {
  return new ConfigurationError(
    `runOnce was given a wrong ${option}: ${value}. ${fix}; the work was not run.`,
  );
}
