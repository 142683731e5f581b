/**
 * Go programs that the tests and the linting stand on, at the versions of tools/go.mod, built once into `.cache/bin`.
 * `tsx scripts/go-tools.ts tflint` prints where one is.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

const PACKAGES = {
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint',
  'aws-lambda-rie': 'github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie',
  'terraform-config-inspect': 'github.com/hashicorp/terraform-config-inspect',
  tflint: 'github.com/terraform-linters/tflint',
};
export type GoTool = keyof typeof PACKAGES;

const root = join(import.meta.dirname, '..');
const tools = join(root, 'tools');

/**
 * The path of a program, which is built where tools/go.mod has changed since. The first time takes minutes.
 *
 * @throws where there is no Go, with how to get it.
 */
export async function goTool(name: GoTool): Promise<string> {
  const path = join(root, '.cache/bin', name);
  if (isBuilt(path)) return path;
  const missing = await missingGo();
  if (missing !== undefined) throw new Error(missing);
  process.stderr.write(`Building ${name} …\n`);
  const args = ['build', '-buildvcs=false', '-trimpath', '-o', path, PACKAGES[name]];
  // Without C, so that no compiler is needed but Go's.
  await execa('go', args, { cwd: tools, env: { CGO_ENABLED: '0' }, stdin: 'ignore' });
  return path;
}

function isBuilt(path: string): boolean {
  if (!existsSync(path)) return false;
  const built = statSync(path).mtimeMs;
  return ['go.mod', 'go.sum'].every((file) => statSync(join(tools, file)).mtimeMs <= built);
}

/** Why there is no Go to build with, and how to get it; `undefined` where there is. */
export async function missingGo(): Promise<string | undefined> {
  // In tools/, where Go itself says whether it is new enough or can fetch the version that go.mod names.
  const { exitCode, code, stderr } = await execa('go', ['version'], { cwd: tools, reject: false });
  if (exitCode === 0) return undefined;
  const reason = code === 'ENOENT' ? 'go is not on PATH' : stderr;
  return `Go 1.26 or later is needed, but ${reason}. Get it from https://go.dev/dl.`;
}

if (import.meta.filename === process.argv[1]) {
  const [, , name = ''] = process.argv;
  if (!Object.hasOwn(PACKAGES, name)) {
    console.error(`"${name}" is none of the tools. Name one of ${Object.keys(PACKAGES).join(', ')}.`);
    process.exit(1);
  }
  console.log(await goTool(name as GoTool));
}
