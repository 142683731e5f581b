import { canonicalHash } from './canonical';
import { InvalidKeyError } from './errors';

/**
 * A part of a key for an operation that has no identifier: a hash of the fields that make it what it is, 43 characters.
 * The order of members does not count, types do: `{ amount: 5 }` is not `{ amount: '5' }`. Never give it a whole record
 * or request: a receipt handle, a time or a trace id makes each delivery another operation. Those of SQS and HTTP are
 * refused.
 *
 * @param fields a JSON value that is neither null nor empty.
 * @throws InvalidKeyError for what has no canonical form: undefined, NaN, a BigInt, Date, function or class instance, a
 *   lone surrogate, what contains itself.
 * @example
 * keyOf('transfer', hashOf({ from, to, amount, day }))
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function hashOf(fields: unknown): string {
  const hashed = canonicalHash(fields, 'fields');
  if ('misfit' in hashed) throw refused(hashed.misfit);
  if (isEmpty(fields)) throw refused('fields is empty');
  const volatile = VOLATILE.find((name) => Object.hasOwn(Object(fields), name));
  if (volatile)
    throw refused(`fields is a whole record or request: its ${volatile} differs with each delivery`);
  return hashed.hash;
}

// By which a message of SQS, and a request of HTTP, are known.
const VOLATILE = ['receiptHandle', 'requestContext'];

function isEmpty(fields: unknown): boolean {
  return fields === null || fields === '' || (typeof fields === 'object' && Object.keys(fields).length === 0);
}

function refused(why: string): InvalidKeyError {
  return new InvalidKeyError(
    `hashOf takes the fields that make an operation what it is, as a JSON value, but ${why}. Check that each field is present, and a string, finite number, boolean, null, list or plain object; nothing was run.`,
  );
}
