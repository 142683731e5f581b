import { ConfigurationError } from './errors';

/** @throws ConfigurationError for an option that is none: a misspelt one would be ignored, and its default apply. */
export function refuseUnknown(
  what: string,
  options: object,
  known: readonly string[],
  consequence = '',
): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ConfigurationError(
    `${what} has no option ${unknown}. Its options are ${known.join(', ')}${consequence}.`,
  );
}
