import { join } from 'node:path';
import { execa } from 'execa';
import { startEmulator } from '../emulator';
import { missingGo } from '../go-tools';
import { terraformCommand } from '../terraform';
import { type Counts, countsOf, type Suite } from './suite';
import { missingTerraform } from './terraform';

/** The part of a line of `go test -json` that is shown or counted. */
interface Line {
  Action: string;
  /** Absent where the line is about the package as a whole. */
  Test?: string;
  Output?: string;
}

/** test/terratest, against an emulator. By `go test` itself it runs against whatever account the credentials are for. */
export const terratestSuite: Suite = {
  name: 'terratest',
  missing: async () => (await missingGo()) ?? (await missingTerraform()),
  run,
};

async function run(): Promise<Counts> {
  const { env } = await terraformCommand();
  const emulator = await startEmulator();
  try {
    const child = execa('go', ['test', '-json', '-count=1', '-timeout=15m', './...'], {
      cwd: join(import.meta.dirname, '../../test/terratest'),
      env: { ...env, ...emulator.env },
      stdin: 'ignore',
      stderr: 'inherit',
      reject: false,
    });
    const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
    for await (const text of child.iterable()) count(JSON.parse(text) as Line, counts);
    return countsOf((await child).exitCode, counts);
  } finally {
    await emulator.stop();
  }
}

function count({ Action, Test, Output }: Line, counts: Counts): void {
  if (Output !== undefined) process.stdout.write(Output);
  if (Test === undefined) return;
  if (Action === 'pass') counts.passed += 1;
  if (Action === 'fail') counts.failed += 1;
  if (Action === 'skip') counts.skipped += 1;
}
