import { ConfigurationError } from './errors';

// Beyond this, it is milliseconds or a moment given as a duration.
const MAX_SECONDS = 10 * 365 * 24 * 60 * 60;

/**
 * Retention is whole seconds and at least one.
 *
 * @throws ConfigurationError for what is not a number from 1 to ten years' worth, or text of one.
 */
export function wholeRetentionSeconds(value: unknown): number {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_SECONDS) return Math.ceil(seconds);
  throw new ConfigurationError(
    `keepForSeconds must be a number of seconds from 1 to ${MAX_SECONDS} (ten years), but it is ${JSON.stringify(value)}. Correct the option or IDEMPOTENCY_KEEP_FOR_SECONDS.`,
  );
}
