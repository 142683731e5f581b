import { ConfigurationError } from './errors';

/**
 * Retention is whole seconds and at least one.
 *
 * @throws ConfigurationError for what is not a finite number of at least 1, or text of one.
 */
export function wholeRetentionSeconds(value: unknown): number {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 1) return Math.ceil(seconds);
  throw new ConfigurationError(
    `keepForSeconds must be a number of seconds of at least 1, but it is ${JSON.stringify(value)}. Correct the option or IDEMPOTENCY_KEEP_FOR_SECONDS.`,
  );
}
