import { createHash } from 'node:crypto';
import { ConfigurationError, OrphanedError } from './errors';
import { type IdempotencyRecord, lockEndOf } from './record';

/** A run that died, or lost its way: its lock has ended, and whether its side effect is done is unknown. */
export interface Orphan {
  key: string;
  /** The attempt that died. */
  attempt: number;
  /** When its lock ended. */
  lockedUntil: Date;
  /** The key that the dead run passed downstream for a step: ask for the outcome under it. */
  idempotencyKey(step?: string): string;
}

/** Run the work again; refuse with `OrphanedError`; or take this for its result, because downstream says so. */
export type OrphanDecision = 'retry' | 'fail' | { result: unknown };

/** `retry` and `fail` always decide so; a function may ask the downstream system first. */
export type OnOrphan = 'retry' | 'fail' | ((orphan: Orphan) => OrphanDecision | Promise<OrphanDecision>);

/** @throws OrphanedError when the decision is to refuse; whatever the caller's function throws. */
export async function decideOnOrphan(
  { onOrphan, key, pk }: { onOrphan: OnOrphan; key: string; pk: string },
  record: IdempotencyRecord,
): Promise<Exclude<OrphanDecision, 'fail'>> {
  const { attempt } = record;
  const lockedUntil = new Date(lockEndOf(record) * 1000);
  const idempotencyKey = (step?: string) => downstreamKey(pk, step);
  const decision =
    typeof onOrphan === 'function' ? await onOrphan({ key, attempt, lockedUntil, idempotencyKey }) : onOrphan;
  if (decision === 'fail') {
    throw new OrphanedError(
      `Attempt ${attempt} of this key died, and its side effect may be done; the work was not run. Look the outcome up downstream, then delete the record to run it again, or answer with { result } from onOrphan.`,
    );
  }
  if (decision === 'retry' || (typeof decision === 'object' && decision !== null && 'result' in decision)) {
    return decision;
  }
  throw new ConfigurationError(
    "onOrphan must answer 'retry', 'fail' or { result }, but it answered something else. Correct it; the work was not run.",
  );
}

/**
 * A key for the calls that the work makes: the same for every attempt of an operation, another for each of its steps.
 * 43 printable characters, within what payment providers take (255).
 */
export function downstreamKey(pk: string, step?: string): string {
  return createHash('sha256')
    .update(JSON.stringify(step === undefined ? [pk] : [pk, step]))
    .digest('base64url');
}
