import { createHash } from 'node:crypto';
import { InvalidKeyError } from './errors';

// What a template string makes of a field that is missing: `order#undefined` is one key for every such event.
const MISSING = /(^|[^A-Za-z0-9])(undefined|null|NaN|\[object Object\])($|[^A-Za-z0-9])/;

/**
 * A key of its parts, joined by `#`, which inside a part is escaped: two different lists of parts never meet. A number is
 * its digits, so that an order is the same whether a producer writes its id as 1042 or as '1042'.
 *
 * @throws InvalidKeyError for a part that is missing, empty, no string or whole number, or text made of a missing one.
 * @example
 * keyOf('order-confirmation', order.id) // 'order-confirmation#1042'
 */
export function keyOf(...parts: (string | number | bigint)[]): string {
  if (parts.length === 0) throw refused('no parts', 'it needs at least one');
  return parts.map(textOf).join('#');
}

function textOf(part: unknown, index: number): string {
  const name = `part ${index + 1}`;
  if (part === undefined || part === null) throw refused(name, `it is ${part}`);
  const isText = typeof part === 'string';
  if (!isText && typeof part !== 'bigint' && !Number.isSafeInteger(part)) {
    throw refused(name, `it is neither a string nor a whole number, but of type ${typeof part}`);
  }
  if (isText && part.trim() === '') throw refused(name, 'it is empty');
  if (isText && MISSING.test(part)) throw refused(name, 'it was made of a field that is missing');
  return escaped(String(part));
}

/** Parts that are taken as they are: what AWS has named, `null.csv` included. */
export function joined(parts: string[]): string {
  return parts.map(escaped).join('#');
}

// A path may be longer than a key; what is longer than this is told apart by its hash.
const LONGEST_PATH = 512;

/** A path of any length as a part of a key. */
export function shortened(path: string): string {
  return path.length <= LONGEST_PATH ? path : createHash('sha256').update(path).digest('base64url');
}

function escaped(part: string): string {
  return part.replaceAll('%', '%25').replaceAll('#', '%23');
}

function refused(what: string, why: string): InvalidKeyError {
  return new InvalidKeyError(
    `keyOf was given ${what}, but ${why}. Check that the field it comes from is present; nothing was run.`,
  );
}
