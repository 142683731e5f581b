/**
 * The errors of the library. Each has a stable `code`, and says in its message what happened, whether the work
 * ran, and what to do. Keys and payloads stay out of messages, because messages end up in logs.
 */

// `Symbol.for` is the same symbol in every copy of this library, so that `instanceof` also recognises an error
// that another copy (the layer's, a bundled one, a test's) has thrown.
const brand = Symbol.for('terraform-aws-idempotency/error');

/**
 * Base of every error that this library throws by itself; the work's own errors pass through untouched.
 *
 * @example
 * catch (error) { if (error instanceof IdempotencyError) console.warn(error.code) }
 */
export class IdempotencyError extends Error {
  /** The `code` that instances of exactly this class carry; the base class stands for all of them. */
  static readonly code: string = '';
  // Spelled out, because a minifier shortens the names of classes, and this one is read in logs.
  static override readonly name: string = 'IdempotencyError';

  /** Stable across versions; match on it where `instanceof` cannot reach, for instance in another process. */
  readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = new.target.code;
    this.name = new.target.name;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Also of an error that another copy of the library has made, as in a layer and in a bundle. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass of the user's own has no code of its own: there the prototype chain decides, as usual.
    if (!Object.hasOwn(this, 'code')) return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== 'object' || value === null || !(brand in value)) return false;
    return this.code === '' || (value as unknown as IdempotencyError).code === this.code;
  }
}

/**
 * Another call holds the lock of this key; the work was not run by this call. Retry after `retryAfterSeconds`:
 * let the message come again, or answer 409 with a `Retry-After` header.
 */
export class StillInProgressError extends IdempotencyError {
  static override readonly code = 'STILL_IN_PROGRESS';
  static override readonly name: string = 'StillInProgressError';

  /** Whole seconds, at least 1, until the other call's lock has ended at the latest. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(
      `Another call with this key is still in progress; this one did not run. Retry in ${retryAfterSeconds} s at the latest.`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * This call's lock ended before it could record its result, and another call has taken the record over. Where the
 * work had begun, its side effect may have happened twice; a longer lock avoids it.
 */
export class LockLostError extends IdempotencyError {
  static override readonly code = 'LOCK_LOST';
  static override readonly name: string = 'LockLostError';
}

/** The key is not a non-empty string of at most 2,048 bytes; nothing was written and the work was not run. */
export class InvalidKeyError extends IdempotencyError {
  static override readonly code = 'INVALID_KEY';
  static override readonly name: string = 'InvalidKeyError';
}

/** The library was called or set up wrongly: the message names the value, the rule and the fix. */
export class ConfigurationError extends IdempotencyError {
  static override readonly code = 'CONFIGURATION';
  static override readonly name: string = 'ConfigurationError';
}

/**
 * The work is done and will not run again, but its result could not be stored (not serialisable, or larger than a
 * DynamoDB item), so that this duplicate cannot be given it.
 */
export class ResultUnavailableError extends IdempotencyError {
  static override readonly code = 'RESULT_UNAVAILABLE';
  static override readonly name: string = 'ResultUnavailableError';
}

/**
 * The table did not answer as needed: an outage, throttling, a time-out, missing rights. The message says whether
 * the work ran; `cause` is the SDK's error.
 */
export class StoreError extends IdempotencyError {
  static override readonly code = 'STORE';
  static override readonly name: string = 'StoreError';

  /** Whether the same write may succeed a moment later: throttling, an outage, a broken connection. */
  readonly retryable: boolean;

  constructor(message: string, options: ErrorOptions & { retryable: boolean }) {
    super(message, options);
    this.retryable = options.retryable;
  }
}

/** The key has been used for another request: their fingerprints differ. The work was not run. */
export class KeyReusedError extends IdempotencyError {
  static override readonly code = 'KEY_REUSED';
  static override readonly name: string = 'KeyReusedError';
}

/**
 * An earlier run of this key died in mid-work, its side effect may be done, and `onOrphan` says not to run it again.
 * Look the outcome up downstream, then delete the record, or answer with it from `onOrphan`.
 */
export class OrphanedError extends IdempotencyError {
  static override readonly code = 'ORPHANED';
  static override readonly name: string = 'OrphanedError';
}

/**
 * The transaction of `commit` was refused by the condition of one of the work's own writes. Nothing was written, and
 * the key is released. `cause` is the SDK's error.
 */
export class CommitRefusedError extends IdempotencyError {
  static override readonly code = 'COMMIT_REFUSED';
  static override readonly name: string = 'CommitRefusedError';

  /** Position, from 0, of the first refused item among those given to `commit`. */
  readonly index: number;
  /** DynamoDB's reason for it, for instance `ConditionalCheckFailed`. */
  readonly reason: string;

  constructor(index: number, reason: string, cause: unknown) {
    super(
      `The transaction was refused by item ${index} given to commit: ${reason}. Nothing was written; the key is released.`,
      { cause },
    );
    this.index = index;
    this.reason = reason;
  }
}
