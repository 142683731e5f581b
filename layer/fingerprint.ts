import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ConfigurationError } from './errors';
import { isPlainJson } from './plain-json';

/**
 * The hash that tells two requests under one key apart: SHA-256 of the value's canonical form, in which the order of
 * members does not count and types do.
 *
 * @throws ConfigurationError for what is not a JSON value.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function fingerprintOf(value: unknown): string {
  if (!isPlainJson(value)) throw notJson();
  let canonical: string;
  try {
    canonical = canonicalize(value) as string;
  } catch {
    // A lone surrogate: a string that has no UTF-8 form, and so no canonical one.
    throw notJson();
  }
  return createHash('sha256').update(canonical).digest('base64url');
}

function notJson(): ConfigurationError {
  return new ConfigurationError(
    'fingerprint must be a JSON value: no undefined, Date, class instance or lone surrogate in it. Pass the fields that make the request what it is, for instance { amount, currency }; the work was not run.',
  );
}
