import type { Call } from './call';
import type { Clock } from './clock';
import { KeyReusedError, ResultUnavailableError, StillInProgressError } from './errors';
import { type IdempotencyRecord, lockEndOf } from './record';
import { type Codec, decodeResult } from './result';

/** What a completed record answers to a duplicate: its result, or the error, to be thrown, that was its outcome. */
export async function outcomeOf(record: IdempotencyRecord, codec?: Codec): Promise<unknown> {
  if (record.resultUnavailable !== undefined) {
    throw new ResultUnavailableError(
      `The work is done and will not run again, but its result is not stored, because ${record.resultUnavailable}. Return less from the work, or look the outcome up where the work left it.`,
    );
  }
  if (record.owner === undefined) return record.classicResult;
  return decodeResult(record, codec);
}

/** @throws KeyReusedError where both the record and the call have a fingerprint, and they differ. */
export function checkFingerprint(record: IdempotencyRecord, call: Call): void {
  if (!isOtherRequest(record, call)) return;
  throw new KeyReusedError(
    'The key has been used for another request: their fingerprints differ. Use a key of its own for each operation; the work was not run.',
  );
}

export function isOtherRequest(record: IdempotencyRecord, { fingerprint }: Call): boolean {
  return record.fingerprint !== undefined && fingerprint !== undefined && record.fingerprint !== fingerprint;
}

/** How long until the lock of a record in progress has ended for every clock, in whole seconds and at least 1. */
export function stillInProgress(record: IdempotencyRecord, clock: Clock): StillInProgressError {
  return new StillInProgressError(Math.max(1, Math.ceil(lockEndOf(record) + 1 - clock.now() / 1000)));
}
