// Quoted: a structured field's string (RFC 8941 §3.3.3), whose parameters mean nothing here. Bare, as many clients send
// it: any visible ASCII but quotes, backslashes, and the comma that joins two headers into one.
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"(?:;[^,]*)?$/;
const BARE = /^[!#-+\--[\]-~]+$/;

// What Stripe takes, whose clients set the custom.
// https://docs.stripe.com/api/idempotent_requests
const MAX_CHARACTERS = 255;

/**
 * The key that the values of `Idempotency-Key` say.
 *
 * @returns undefined for values that are no such key: none, several, empty, too long, or malformed.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export function readIdempotencyKey(values: string[]): string | undefined {
  if (values.length !== 1) return undefined;
  const value = (values[0] as string).trim();
  const quoted = QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? (BARE.test(value) ? value : '');
  return key.trim() === '' || key.length > MAX_CHARACTERS ? undefined : key;
}
