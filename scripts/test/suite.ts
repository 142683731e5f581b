/** A part of `npm test`: one runner, started once. */
export interface Suite {
  name: string;
  /** What the machine lacks for it, and how to get that; `undefined` where it has all. */
  missing(): Promise<string | undefined>;
  /** Runs it, and shows on standard output how far it is. */
  run(): Promise<Counts>;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A runner that fails has a failure to report, also where none of its tests got so far as to fail. */
export function countsOf(exitCode: number | undefined, counts: Counts): Counts {
  return exitCode === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
