import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { lockProviders, terraform, terraformCommand } from '../terraform';
import { type Counts, countsOf, type Suite } from './suite';

const root = join(import.meta.dirname, '../..');

/** The part of a line of `terraform test -json` that is shown or counted. */
interface Line {
  '@message': string;
  type: string;
  diagnostic?: { detail: string };
  /** OpenTofu has no progress: there a line is a test that has ended. */
  test_run?: { progress?: string };
  test_summary?: { passed?: number; failed?: number; errored?: number; skipped?: number };
}

export async function missingTerraform(): Promise<string | undefined> {
  try {
    await terraformCommand();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** `test/*.tftest.hcl`, by Terraform's own runner. */
export const terraformSuite: Suite = { name: 'terraform test', missing: missingTerraform, run };

async function run(): Promise<Counts> {
  const folder = copy();
  try {
    await terraform(folder, ['init', '-backend=false', '-test-directory=test']);
    return await test(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The module and its tests, so that what `init` writes is not left in the repository: it differs by program and provider. */
function copy(): string {
  const cache = join(root, '.cache/terraform');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'test-'));
  for (const [below, extension] of [
    ['.', '.tf'],
    ['test', '.tftest.hcl'],
  ] as const) {
    for (const name of readdirSync(join(root, below)).filter((file) => file.endsWith(extension))) {
      cpSync(join(root, below, name), join(folder, below, name));
    }
  }
  cpSync(join(root, 'dist/layer.zip'), join(folder, 'dist/layer.zip'));
  lockProviders(folder);
  return folder;
}

async function test(folder: string): Promise<Counts> {
  const { binary, env } = await terraformCommand();
  const child = execa(binary, ['test', '-test-directory=test', '-json'], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stderr: 'inherit',
    reject: false,
  });
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const text of child.iterable()) {
    const line = JSON.parse(text) as Line;
    show(line);
    if (line.test_summary === undefined) continue;
    const { passed = 0, failed = 0, errored = 0, skipped = 0 } = line.test_summary;
    Object.assign(counts, { passed, failed: failed + errored, skipped });
  }
  return countsOf((await child).exitCode, counts);
}

function show({ type, '@message': message, diagnostic, test_run }: Line): void {
  if (test_run?.progress !== undefined && test_run.progress !== 'complete') return;
  if (!['test_run', 'test_summary', 'diagnostic'].includes(type)) return;
  console.log(diagnostic?.detail ? `${message}\n${diagnostic.detail}` : message);
}
