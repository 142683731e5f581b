import { canonicalHash } from './canonical';
import { ConfigurationError } from './errors';

/**
 * The hash that tells two requests under one key apart: that of the value's canonical form, in which the order of
 * members does not count and types do.
 *
 * @throws ConfigurationError for what is not a JSON value.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function fingerprintOf(value: unknown): string {
  const hashed = canonicalHash(value, 'it');
  if ('hash' in hashed) return hashed.hash;
  throw new ConfigurationError(
    `fingerprint must be a JSON value, but ${hashed.misfit}. Pass the fields that make the request what it is, for instance { amount, currency }; the work was not run.`,
  );
}
