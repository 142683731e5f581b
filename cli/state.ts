import { hasEnded, type IdempotencyRecord, lockEndOf } from '../layer/record';

/**
 * What a record means now.
 *
 * - `inProgress`: a call holds the key, and its lock lasts.
 * - `lockEnded`: a call held the key and died, or lost the table; the next call of the key takes it over.
 * - `completed`: duplicates are answered with its outcome.
 * - `expired`: completed, but its retention is over: the next call runs. TTL deletes it within a few days.
 */
export type State = 'inProgress' | 'lockEnded' | 'completed' | 'expired';

export const STATES: Record<State, string> = {
  inProgress: 'in progress',
  lockEnded: 'lock ended',
  completed: 'completed',
  expired: 'expired',
};

export function stateOf(record: IdempotencyRecord, now: number): State {
  if (record.status === 'COMPLETED') return hasEnded(record.expiresAt, now) ? 'expired' : 'completed';
  return hasEnded(lockEndOf(record), now) ? 'lockEnded' : 'inProgress';
}

/**
 * Seconds since the completion, or since a dead run's lock ended. A record has no time of its beginning: of a run that
 * may be at work there is no age, and a completion's is reckoned from the end of its retention.
 */
export function ageOf(record: IdempotencyRecord, keepForSeconds: number, now: number): number | undefined {
  switch (stateOf(record, now)) {
    case 'inProgress':
      return undefined;
    case 'lockEnded':
      return Math.floor(now / 1000) - lockEndOf(record);
    default:
      return Math.max(0, Math.floor(now / 1000) - (record.expiresAt - keepForSeconds));
  }
}
