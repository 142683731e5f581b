/**
 * `npm run lint:terraform`: the module, the examples and the fixtures, as they would be checked by whoever adopts them:
 * format, `terraform validate`, all of tflint's rules for Terraform, and checkov, which may find nothing that is not
 * argued beside it. On a copy, since `terraform init` leaves files behind.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { goTool } from './go-tools';
import { lockProviders, terraform, terraformCommand } from './terraform';

const root = join(import.meta.dirname, '..');
const shown = { stdout: 'inherit', stderr: 'inherit' } as const;

const files = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));
const subfolders = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));

const adopted = ['.', ...subfolders('examples')].filter((folder) => files(folder, '.tf').length > 0);
const modules = [...adopted, ...subfolders('test/fixtures')];

function copyOfModules(): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const copy = mkdtempSync(join(root, '.cache/lint-'));
  for (const folder of modules) {
    for (const file of files(folder, '.tf')) cpSync(join(root, file), join(copy, file));
    lockProviders(join(copy, folder));
  }
  return copy;
}

/** What checkov prints as JSON, where it has checked anything. */
interface Scan {
  summary: { passed: number; failed: number; skipped: number; parsing_errors: number };
  results: { failed_checks: { check_id: string; check_name: string; resource: string; file_path: string }[] };
}

/** What checkov has to say against a folder. A file that it cannot read is a finding: nothing in it has been checked. */
async function findings(folder: string): Promise<string[]> {
  const checkov = join(root, '.venv-checkov/bin/checkov');
  if (!existsSync(checkov)) throw new Error('checkov is not installed. Run: node scripts/setup.mjs --lint');
  const args = ['--framework', 'terraform', '--skip-download', '--output', 'json', '--soft-fail'];
  // Only what is in this folder: the examples have a run of their own, in which the module gets what they pass.
  const others = ['--skip-path', 'examples/', '--skip-path', 'test/'];
  const { stdout } = await execa(checkov, ['--directory', '.', ...args, ...(folder === copy ? others : [])], {
    cwd: folder,
    stderr: 'inherit',
    env: { LOG_LEVEL: 'ERROR', CKV_SKIP_PACKAGE_UPDATE_CHECK: 'true' },
  });
  const { summary, results } = JSON.parse(stdout) as Scan;
  const { passed, skipped, parsing_errors: unread } = summary;
  console.log(`  checkov: ${passed} passed, ${skipped} argued`);
  return [
    ...results.failed_checks.map(
      ({ check_id, check_name, resource, file_path }) =>
        `${check_id} ${file_path} ${resource}: ${check_name}`,
    ),
    ...(unread === 0 ? [] : [`${unread} files that checkov cannot read, and so does not check`]),
  ];
}

const { binary, env } = await terraformCommand();
const formatted = [...modules.flatMap((folder) => files(folder, '.tf')), ...files('test', '.tftest.hcl')];
await execa(binary, ['fmt', '-check', '-diff', ...formatted], { cwd: root, env, ...shown });

const tflint = await goTool('tflint');
const copy = copyOfModules();
try {
  for (const folder of modules) {
    console.log(folder === '.' ? 'the module' : folder);
    await terraform(join(copy, folder), ['init', '-backend=false', '-lockfile=readonly']);
    await terraform(join(copy, folder), ['validate']);
    await execa(tflint, [`--chdir=${join(copy, folder)}`, `--config=${join(root, '.tflint.hcl')}`], shown);
    if (!adopted.includes(folder)) continue;
    const found = await findings(join(copy, folder));
    if (found.length === 0) continue;
    console.error(
      `${found.join('\n')}\nMend them, or argue beside them why not: #checkov:skip=<id>:<reason>`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true });
}
