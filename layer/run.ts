import { type Clock, until } from './clock';
import { checkItems } from './commit-items';
import { ConfigurationError, LockLostError } from './errors';
import { wholeLockSeconds } from './lock';
import { downstreamKey } from './orphan';
import type { Lease, Store } from './store';
import type { TransactItem } from './table';

/** What the work is given of the call that runs it. */
export interface Run {
  /** The key as given by the caller. */
  readonly key: string;
  /** 1 for the first run; it grows with each takeover of the record, so that downstream can refuse an older one. */
  readonly attempt: number;
  /**
   * Aborts shortly before the lock can be lost (three seconds, for clocks that differ; half of a lock shorter than
   * six), or once it is lost. Pass it to `fetch` and to SDK calls.
   */
  readonly signal: AbortSignal;
  /**
   * Makes the lock last for that many seconds from now; never shortens it.
   *
   * @throws LockLostError when another call has taken over; StoreError when the table fails; ConfigurationError for
   *   what is no number of seconds, and once the work has ended.
   */
  extend(seconds: number): Promise<void>;
  /** A key to pass downstream: the same for every attempt of this operation, another for each step. 43 characters. */
  idempotencyKey(step?: string): string;
  /**
   * Adds DynamoDB writes that are committed in one transaction with the completion, once the work has returned: they
   * happen exactly once, whatever dies and whenever. Values are plain, as the SDK's document clients take them.
   *
   * @throws ConfigurationError for what a transaction cannot take.
   * @example
   * run.commit({ Update: { TableName: 'accounts', Key: { id }, UpdateExpression: 'ADD balance :amount',
   *   ExpressionAttributeValues: { ':amount': amount } } })
   */
  commit(...items: TransactItem[]): void;
}

/** A run, and what the flow needs of it once the work has ended. */
export interface OpenRun extends Run {
  readonly items: TransactItem[];
  /** No lock is extended after this: it waits for the one that may be under way. */
  close(): Promise<void>;
}

// Two clocks that are each two seconds off differ by four; one of them is in the rounding of the lock.
const SKEW_MILLISECONDS = 3000;

// A beat that is not answered by then is left to the next one, and holds up no work that has ended.
const BEAT_MILLISECONDS = 5000;

export interface RunParts {
  lease: Lease;
  key: string;
  /** Asked for anew at each beat. */
  lockSeconds(): number;
  heartbeat: boolean;
  /** Epoch milliseconds until which to wait for the table. */
  deadline(): number;
  store: Store;
  clock: Clock;
}

export function openRun({ lease, key, lockSeconds, heartbeat, deadline, store, clock }: RunParts): OpenRun {
  const items: TransactItem[] = [];
  const controller = new AbortController();
  let margin = 0;
  let watched = false;
  let closed = false;
  let stopAlarm = () => {};
  let stopHeartbeat = () => {};
  let beating: Promise<void> | undefined;

  /** Sets the signal's alarm to the lock as it is now; one that is already due goes off at once. */
  function arm(): void {
    stopAlarm();
    if (closed || !watched) return;
    const left = until(clock, lease.endsAt * 1000 - margin);
    if (left === 0) controller.abort(ending());
    else stopAlarm = clock.after(left, () => controller.abort(ending()));
  }

  function measureMargin(): void {
    margin = Math.min(SKEW_MILLISECONDS, until(clock, lease.endsAt * 1000) / 2);
  }

  async function extend(seconds: number, by = deadline()): Promise<void> {
    if (closed) throw ended('extend');
    const endsAt = Math.max(lease.endsAt, Math.ceil(clock.now() / 1000 + wholeLockSeconds(seconds)));
    if (!(await store.extend(lease, endsAt, by))) {
      const lost = lockTaken();
      controller.abort(lost);
      throw lost;
    }
    // Another extension may have been answered meanwhile.
    lease.endsAt = Math.max(lease.endsAt, endsAt);
    measureMargin();
    arm();
  }

  function beat(): void {
    // The beat that the work's end has awaited asks for no other one.
    if (closed) return;
    stopHeartbeat = clock.after((lockSeconds() * 1000) / 3, () => {
      const by = Math.min(deadline(), clock.now() + BEAT_MILLISECONDS);
      // A beat that fails is made good by the next one; where none comes through, the signal aborts in time.
      beating = extend(lockSeconds(), by).then(
        () => beat(),
        (error) => {
          if (!(error instanceof LockLostError)) beat();
        },
      );
    });
  }

  measureMargin();
  if (heartbeat) beat();

  return {
    key,
    attempt: lease.attempt,
    items,
    get signal() {
      watched = true;
      arm();
      return controller.signal;
    },
    extend: (seconds) => extend(seconds),
    idempotencyKey: (step) => downstreamKey(lease.key, step),
    commit(...added) {
      if (closed) throw ended('commit');
      checkItems([...items, ...added]);
      // A copy: what was checked is what is written, each time that it is sent.
      items.push(...structuredClone(added));
    },
    async close() {
      closed = true;
      stopAlarm();
      stopHeartbeat();
      await beating;
    },
  };
}

function ending(): LockLostError {
  return new LockLostError(
    'The lock is about to end. Stop the work, or extend the lock in time: by a longer one, by extend, by heartbeat.',
  );
}

/** The end of a run that has lost its record. */
export function lockTaken(): LockLostError {
  return new LockLostError(
    'The lock ended while the work ran, and another call has taken over, or the record was deleted. The work may run twice: ask for a lock as long as the work can take.',
  );
}

function ended(what: string): ConfigurationError {
  return new ConfigurationError(
    `run.${what} was called after the work had ended. Await everything that the work begins before it returns.`,
  );
}
