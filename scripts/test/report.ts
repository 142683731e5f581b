import Table from 'cli-table3';
import type { Counts, Suite } from './suite';

interface Result extends Counts {
  name: string;
  seconds: number;
  /** Why it counts less than it should. */
  remark?: string;
}

async function run({ name, missing, run }: Suite): Promise<Result> {
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const result = (counts: Partial<Counts>, remark?: string): Result => {
    const seconds = (Date.now() - started) / 1000;
    return { name, passed: 0, failed: 0, skipped: 0, ...counts, seconds, ...(remark && { remark }) };
  };
  try {
    const lack = await missing();
    if (lack !== undefined) return result({ failed: leftOut(1) }, `Left out. ${lack}`);
    const { passed, failed, skipped } = await run();
    if (passed + failed === 0) return result({ failed: 1, skipped }, 'No test was run.');
    if (skipped === 0) return result({ passed, failed });
    return result({ passed, failed: failed + leftOut(skipped), skipped }, `Tests skipped: ${skipped}.`);
  } catch (error) {
    return result({ failed: 1 }, (error as Error).message);
  }
}

/** On a developer's machine something may be missing, and is only named. In CI all of it has to run. */
const leftOut = (count: number) => (process.env.CI ? count : 0);

/**
 * Runs suites, one after the other, and says what they come to. The last line is `N passed, N failed`, summed over the
 * runners. The process exits with 1 where a test failed or a runner ran none and, with CI set, where a suite or a test
 * was left out.
 */
export async function report(suites: Suite[]): Promise<void> {
  const results: Result[] = [];
  for (const suite of suites) results.push(await run(suite));

  const table = new Table({
    head: ['Suite', 'Passed', 'Failed', 'Seconds'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { name, passed, failed, seconds } of results)
    table.push([name, passed, failed, seconds.toFixed(1)]);
  console.log(`\n${table}`);
  for (const { name, remark } of results) if (remark) console.log(`${name}: ${remark}`);

  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}
