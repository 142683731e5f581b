import { CommandError } from './exit-codes';

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
type Unit = keyof typeof UNITS;

/**
 * Seconds of `90s`, `15m`, `2h` or `3d`.
 *
 * @throws CommandError for what is not a whole number with one of these units.
 */
export function secondsOf(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount === undefined) {
    throw new CommandError(
      'usage',
      `A duration is a whole number with a unit, s, m, h or d, but it is '${text}'. Write for instance 15m.`,
    );
  }
  return Number(amount) * UNITS[unit as Unit];
}

/** For people: the two largest units, for instance `2 h 5 min`. */
export function inWords(seconds: number): string {
  let rest = Math.floor(Math.abs(seconds));
  const parts: string[] = [];
  for (const [name, size] of Object.entries({ d: UNITS.d, h: UNITS.h, min: UNITS.m, s: UNITS.s })) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(`${amount} ${name}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
