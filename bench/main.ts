/**
 * Measures the layer beside its peers, and writes docs/performance.md and its chart.
 *
 *     npm run bench                          all rows, 15 repetitions: about an hour, on a machine that has nothing else to do
 *     npm run bench -- --json                … and prints them as JSON
 *     npm run bench -- --repetitions 3       a quick look, which leaves the document alone
 *     npm run bench -- --only cpu,calls      some rows: the others stay as they are in the document
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Line, Row } from './measure';
import { asText, writeReport } from './report';
import { calls, writeUnits } from './rows/calls';
import { coldStart } from './rows/cold-start';
import { contention } from './rows/contention';
import { cpu } from './rows/cpu';
import { lambdaColdStart } from './rows/lambda-cold-start';
import { latency } from './rows/latency';
import { memory } from './rows/memory';
import { size } from './rows/size';
import { throughput } from './rows/throughput';

const ROWS: Record<string, Row> = {
  'cold-start': coldStart,
  'lambda-cold-start': lambdaColdStart,
  size,
  cpu,
  calls,
  latency,
  'write-units': writeUnits,
  throughput,
  memory,
  contention,
};

const FULL = 15;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    repetitions: { type: 'string', default: String(FULL) },
    only: { type: 'string', default: Object.keys(ROWS).join() },
  },
});
const repetitions = Number(values.repetitions);
const names = values.only.split(',');
const unknown = names.find((name) => !(name in ROWS));
if (!Number.isInteger(repetitions) || repetitions < 1 || unknown !== undefined) {
  console.error(
    `--repetitions takes a whole number of at least 1, --only some of ${Object.keys(ROWS).join()}.`,
  );
  process.exit(2);
}

execFileSync('npm', ['ci', '--silent'], { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] });
execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });

const measured: Record<string, Line[]> = {};
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  measured[name] = await (ROWS[name] as Row)(repetitions);
}
const lines = Object.values(measured).flat();
console.log(values.json ? JSON.stringify(lines, null, 2) : asText(lines));
if (repetitions >= FULL) writeReport(measured, Object.keys(ROWS), repetitions);
