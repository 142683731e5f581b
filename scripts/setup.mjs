// Sets up a clone: npm packages, those of bench/ and examples/cdktf/, the emulator in .venv, the layer in dist/. Each
// step is left out where nothing has changed since, so that it can run before every command. Plain Node.js, since it
// runs before there is anything else.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (path) => join(root, path);

/** Ends the process with the reason and the fix: whoever runs this has asked for something else. */
function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(what, command, args) {
  console.error(`${what} …`);
  // Their output goes to standard error: standard output belongs to the command that runs after us.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${what} failed (${error?.message ?? `exit ${status}`}).`);
}

// The first version with process.getBuiltinModule, which the layer stands on.
const NODE = [20, 16];

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  fail(
    `Node.js ${NODE.join('.')} or later is needed, but this is ${process.versions.node}. Get it from https://nodejs.org.`,
  );
}

const json = (path) => JSON.parse(readFileSync(at(path), 'utf8'));

/** Whether what npm says it has installed is what the lock file asks for. Optional packages may be missing. */
function packagesAreInstalled(folder) {
  if (!existsSync(at(`${folder}/node_modules/.package-lock.json`))) return false;
  const installed = json(`${folder}/node_modules/.package-lock.json`).packages;
  return Object.entries(json(`${folder}/package-lock.json`).packages).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  );
}

function installPackages(what, folder) {
  if (packagesAreInstalled(folder)) return;
  const args = ['ci', '--prefix', folder];
  // Started by npm, its own program is known, which may be none that is on PATH.
  const { npm_execpath: npm } = process.env;
  if (npm?.endsWith('.js')) run(what, process.execPath, [npm, ...args]);
  else run(what, 'npm', args);
}

const PYTHONS = ['python3', 'python', ...[14, 13, 12, 11, 10].map((minor) => `python3.${minor}`)];

function isUsable(python) {
  const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
  return spawnSync(python, ['-c', check], { stdio: 'ignore' }).status === 0;
}

function installPython(what, requirementsFile, venv) {
  const requirements = readFileSync(at(requirementsFile), 'utf8');
  const installed = at(`${venv}/installed.txt`);
  const venvPython = at(`${venv}/bin/python`);
  const usable = existsSync(venvPython) && isUsable(venvPython);
  if (usable && existsSync(installed) && readFileSync(installed, 'utf8') === requirements) return;

  const python = PYTHONS.find(isUsable);
  if (!python) {
    fail(
      'Python 3.10 or later is needed for the AWS emulator. Get it from https://www.python.org or your package manager.',
    );
  }
  rmSync(at(venv), { recursive: true, force: true });
  if (spawnSync(python, ['-c', 'import ensurepip, venv'], { stdio: 'ignore' }).status !== 0) {
    fail(
      `${python} cannot make virtual environments. Install its venv module (Debian, Ubuntu: apt install python3-venv).`,
    );
  }
  run(`Making ${venv}`, python, ['-m', 'venv', at(venv)]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  run(what, venvPython, [...pip, '--require-hashes', '-r', at(requirementsFile)]);
  writeFileSync(installed, requirements);
}

/** The newest change below a file or folder, in epoch milliseconds; a folder's own tells of deleted files. */
function changed(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changed(join(path, name))));
}

function buildWhereChanged(what, script, sources, outputs) {
  const built = outputs.map((output) => (existsSync(at(output)) ? statSync(at(output)).mtimeMs : 0));
  if (Math.min(...built) >= Math.max(...sources.map((source) => changed(at(source))))) return;
  run(what, process.execPath, [at('node_modules/tsx/dist/cli.mjs'), at(script)]);
}

const BUILDING = ['scripts/deterministic-zip.ts', 'package-lock.json'];

function buildLayer() {
  const sources = ['layer', 'scripts/build.ts', ...BUILDING];
  buildWhereChanged('Building the layer', 'scripts/build.ts', sources, ['dist/layer.zip']);
}

function buildExamples() {
  const folders = readdirSync(at('examples')).map((name) => `examples/${name}`);
  const sources = [...folders.map((folder) => `${folder}/src`), 'scripts/build-examples.ts', ...BUILDING];
  const outputs = folders.flatMap((folder) =>
    readdirSync(at(`${folder}/src`))
      .filter((name) => /\.[cm]js\.ts$/.test(name))
      .map((name) => `${folder}/dist/${name.replace(/\.[cm]js\.ts$/, '.zip')}`),
  );
  buildWhereChanged("Building the examples' functions", 'scripts/build-examples.ts', sources, outputs);
}

checkNode();
installPackages('Installing npm packages', '.');
installPackages('Installing the peers to compare with', 'bench');
installPackages('Installing what the CDKTF example is written with', 'examples/cdktf');
installPython('Installing the AWS emulator', 'scripts/requirements.txt', '.venv');
if (process.argv.includes('--lint')) {
  installPython('Installing checkov', 'scripts/checkov-requirements.txt', '.venv-checkov');
}
buildLayer();
buildExamples();
