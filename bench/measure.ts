import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { awsEnvironment } from '../scripts/emulator';

export type Subject = 'ours' | 'cached' | 'powertools' | 'bare' | 'node';
export type NodeVersion = 22 | 24;

export const NODE_VERSIONS: NodeVersion[] = [22, 24];

export interface Spread {
  median: number;
  /** The middle half lies between them. */
  low: number;
  high: number;
}

/** One line of the report: what was measured, and what it should be. */
export interface Line {
  figure: string;
  node?: NodeVersion;
  unit: string;
  ours: Spread;
  powertools?: Spread;
  bare?: Spread;
  target: string;
  /** What the target is about, as it was measured. */
  result: string;
  met: boolean;
}

/** One row of the issue: everything it needs it starts and ends itself. */
export type Row = (repetitions: number) => Promise<Line[]>;

const run = promisify(execFile);

/** What a measured program prints, run in a process of its own on that Node.js. */
export async function measure(
  node: NodeVersion,
  program: string,
  args: (string | number)[],
  endpoint = 'http://127.0.0.1:9',
): Promise<string> {
  const binary = join(import.meta.dirname, `../node_modules/node-${node}/bin/node`);
  const path = join(import.meta.dirname, 'programs', program);
  const { stdout } = await run(binary, ['--expose-gc', path, ...args.map(String)], {
    env: awsEnvironment(endpoint),
  });
  return stdout;
}

/** Runs each once a repetition, one after the other, so that what slows the machine slows all of them. */
export async function interleaved<K extends string, T>(
  repetitions: number,
  measurements: Record<K, () => Promise<T>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(measurements) as K[];
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<K, T[]>;
  for (let n = 0; n < repetitions; n++) {
    for (const name of n % 2 === 0 ? names : names.toReversed())
      results[name].push(await measurements[name]());
  }
  return results;
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] as number;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** The median of ours ÷ the peer's, pair by pair. */
export function ratio(ours: number[], peer: number[]): number {
  return spread(ours.map((value, n) => value / (peer[n] as number))).median;
}

/** The same of what is more than a floor, which is nobody's doing. */
export function ratioBeyond(floor: number[], ours: number[], peer: number[]): string {
  const { median } = spread(floor);
  const beyond = (values: number[]) => values.map((value) => Math.max(value - median, 0.1));
  return `${ratio(beyond(ours), beyond(peer)).toFixed(2)} × beyond the ${median.toFixed(0)} ms of`;
}

export const exactly = (value: number): Spread => ({ median: value, low: value, high: value });
