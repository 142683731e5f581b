import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Counts, countsOf, type Suite } from './suite';

const root = join(import.meta.dirname, '../..');
const reports = join(root, '.cache/test');

/** The part of jest's report (`--json`) that is counted. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not be run at all: their tests are in no other count. */
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
}

/**
 * One of the projects of jest.config.mjs. `workers` is for tests that wait for most of their time; without it there are
 * as many as the cores allow.
 */
export function jestSuite(
  name: string,
  missing: Suite['missing'] = async () => undefined,
  workers?: number,
): Suite {
  return { name, missing, run: () => run(name, workers) };
}

async function run(project: string, workers: number | undefined): Promise<Counts> {
  mkdirSync(reports, { recursive: true });
  const report = join(reports, `${project}.json`);
  rmSync(report, { force: true });
  const args = ['--selectProjects', project, '--json', `--outputFile=${report}`];
  if (workers !== undefined) args.push(`--maxWorkers=${workers}`);
  // Its progress goes to standard error by itself, where it could overtake the rest.
  const stdio = ['ignore', 1, 1] as const;
  const { exitCode } = await execa('npm', ['run', '--silent', 'jest', '--', ...args], {
    cwd: root,
    stdio,
    reject: false,
  });
  if (!existsSync(report)) throw new Error(`jest ended before any test (exit ${exitCode}).`);
  return countsOf(exitCode, countsIn(JSON.parse(readFileSync(report, 'utf8'))));
}

const countsIn = (report: Report): Counts => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
  skipped: report.numPendingTests + report.numTodoTests,
});
