/**
 * `npm run lint:terraform`: the module, the examples and the fixtures, as they would be checked by whoever adopts them:
 * format, `terraform validate`, all of tflint's rules for Terraform, and checkov, which may find nothing that is not
 * argued beside it. On a copy, since `terraform init` leaves files behind.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { goTool } from './go-tools';
import { terraform, terraformCommand } from './terraform';

const root = join(import.meta.dirname, '..');
const copy = join(root, '.cache/lint');

const subfolders = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));

const folders = ['.', ...['examples', 'test/fixtures'].flatMap(subfolders)].filter((folder) =>
  readdirSync(join(root, folder)).some((name) => name.endsWith('.tf')),
);

rmSync(copy, { recursive: true, force: true });
for (const folder of folders) {
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder)).filter((file) => file.endsWith('.tf'))) {
    cpSync(join(root, folder, name), join(copy, folder, name));
  }
  cpSync(join(root, '.terraform.lock.hcl'), join(copy, folder, '.terraform.lock.hcl'));
}

const { binary } = await terraformCommand();
await execa(binary, ['fmt', '-check', '-recursive', '-diff'], {
  cwd: root,
  stdout: 'inherit',
  stderr: 'inherit',
});

const tflint = await goTool('tflint');
for (const folder of folders) {
  console.log(folder === '.' ? 'the module' : folder);
  await terraform(join(copy, folder), ['init', '-backend=false', '-lockfile=readonly']);
  await terraform(join(copy, folder), ['validate']);
  await execa(tflint, [`--chdir=${join(copy, folder)}`, `--config=${join(root, '.tflint.hcl')}`], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
}

const checkov = join(root, '.venv-checkov/bin/checkov');
if (!existsSync(checkov)) throw new Error('checkov is not installed. Run: node scripts/setup.mjs --lint');
const checked = folders.filter((folder) => folder === '.' || folder.startsWith('examples'));
for (const folder of checked) {
  await execa(
    checkov,
    [
      '--directory',
      join(copy, folder),
      ...['--framework', 'terraform', '--compact', '--quiet'],
      // Only what is in this folder; the others have a run of their own.
      ...(folder === '.' ? ['--skip-path', 'examples', '--skip-path', 'test'] : []),
    ],
    // It is told that it is offline, and asks nobody for guidelines or versions.
    {
      stdout: 'inherit',
      stderr: 'inherit',
      env: { LOG_LEVEL: 'ERROR', BC_SKIP_MAPPING: 'TRUE', CKV_SKIP_PACKAGE_UPDATE_CHECK: 'true' },
    },
  );
  console.log(`checkov: ${folder === '.' ? 'the module' : basename(folder)}: nothing that is not argued`);
}
