import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isPlainObject } from './plain-json';

// Deeper than data goes: what is nested further is taken to contain itself.
const MAX_DEPTH = 500;

/**
 * SHA-256, base64url, of the value's canonical form, in which the order of members does not count and types do.
 *
 * @returns the hash; or where in the value there is what has no canonical form, since it is no JSON.
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalHash(value: unknown, name: string): { hash: string } | { misfit: string } {
  const misfit = misfitIn(value, name, 0);
  if (misfit !== undefined) return { misfit };
  const hash = createHash('sha256').update(canonicalize(value) as string);
  return { hash: hash.digest('base64url') };
}

function misfitIn(value: unknown, at: string, depth: number): string | undefined {
  const why = whyNot(value, depth);
  if (why !== undefined) return `${at} ${why}`;
  if (typeof value !== 'object' || value === null) return undefined;
  // With the holes of arrays, as undefined.
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, member] of members) {
    const inner = Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`;
    const misfit = misfitIn(name, `the name ${inner}`, 0) ?? misfitIn(member, inner, depth + 1);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function whyNot(value: unknown, depth: number): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string')
    return value.isWellFormed() ? undefined : 'holds a lone surrogate, half of a character';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`;
  if (typeof value !== 'object') return value === undefined ? 'is undefined' : `is a ${typeof value}`;
  if (depth > MAX_DEPTH) return 'is nested too deeply, or contains itself';
  return Array.isArray(value) || isPlainObject(value)
    ? undefined
    : 'is an instance of a class, for instance a Date';
}
