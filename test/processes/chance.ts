import { createHash } from 'node:crypto';

/**
 * A number from 0 up to 1 for the choice of that name. It depends on the seed and the name only, not on what has been
 * chosen before, so that the choices of a run stay the same however its processes are scheduled.
 */
export function chance(seed: number, ...name: (string | number)[]): number {
  const hash = createHash('sha256').update(JSON.stringify([seed, ...name]));
  return hash.digest().readUInt32BE() / 2 ** 32;
}

/** A whole number from `least` to `most`. */
export function between(least: number, most: number, chosen: number): number {
  return least + Math.floor(chosen * (most - least + 1));
}
