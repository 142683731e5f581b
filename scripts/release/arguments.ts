import { parseArgs } from 'node:util';

export interface ReleaseArguments {
  version: string;
  /** Whether to make it all, and push nothing. */
  dryRun: boolean;
  /** Whether to leave the temporary clone, to look at. */
  keep: boolean;
}

/** @throws where there is no version like 1.2.3, or something that is no option. */
export function readArguments(args: string[]): ReleaseArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
  });
  const [version = '', ...rest] = positionals;
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version) || rest.length > 0) {
    throw new Error(
      `The version is "${positionals.join(' ')}", but it must be like 1.2.3 (https://semver.org). Run npm run release -- [--dry-run] [--keep] X.Y.Z.`,
    );
  }
  return { version, dryRun: values['dry-run'], keep: values.keep };
}
