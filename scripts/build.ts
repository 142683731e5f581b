/** `npm run build`: checks the types and makes `dist/nodejs/` and `dist/layer.zip`, the same bytes on every machine. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling } from './build/bundling';
import { bundledDeclarations } from './build/declarations';
import { inputsOf, lazyModule } from './build/lazy-module';
import { ownFile } from './build/own-file';
import { deterministicZip } from './deterministic-zip';
import { licencesOf } from './package/licences';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const nodejs = join(dist, 'nodejs');

// Built beside and moved into place at the end, so that a failed build leaves the last good one standing.
const staging = join(dist, `staging-${process.pid}`);

// Loaded on demand: functions that bring a client of their own do not use the first, and most others not the second. That
// is a file of its own, since it is a third of all there is to parse.
const CLIENT = join(root, 'layer/bundled-client.ts');
const COMMANDS = join(root, 'layer/sdk-commands.ts');

interface Manifest {
  name: string;
  version: string;
  license: string;
}

const options: BuildOptions = { ...bundling, target: 'node22' };

/** Bundles the layer into `index.js` and `sdk-commands.js` of a folder, and resolves to the files that it is made of. */
async function bundle(outdir: string): Promise<string[]> {
  const lazy = new Set<string>();
  const { metafile } = await build({
    ...options,
    metafile: true,
    entryPoints: { index: join(root, 'layer/index.ts'), 'sdk-commands': COMMANDS },
    outdir,
    format: 'cjs',
    // Of node:http, which the SDK imports on demand, import() also loads fetch: 20 ms at the first request.
    supported: { 'dynamic-import': false },
    plugins: [lazyModule(CLIENT, options, lazy), ownFile(COMMANDS)],
  });
  return [...inputsOf(metafile), ...lazy];
}

function declarations(outFile: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const emitted = join(staging, 'declarations');
  const args = [tsc, '-p', 'tsconfig.declarations.json', '--outDir', emitted];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  writeFileSync(outFile, bundledDeclarations(join(emitted, 'index.d.ts')));
}

/**
 * One instance for both module systems: the ES module hands out the exports of the CommonJS one. It is required, since
 * an import would have Node.js look through all of it for the names of exports: 15 ms at each cold start. The same holds
 * for an import of node:module.
 */
function esModule(names: string[]): string {
  return `const { createRequire } = process.getBuiltinModule('node:module');
export const { ${names.join(', ')} } = createRequire(import.meta.url)('./index.js');
`;
}

function manifest({ name, version, license }: Manifest): string {
  const exports = {
    '.': {
      import: { types: './index.d.mts', default: './index.mjs' },
      require: { types: './index.d.ts', default: './index.js' },
    },
    './index.mjs': { types: './index.d.mts', default: './index.mjs' },
    './index.js': { types: './index.d.ts', default: './index.js' },
  };
  return `${JSON.stringify({ name, version, license, type: 'commonjs', main: './index.js', types: './index.d.ts', exports }, null, 2)}\n`;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

rmSync(staging, { recursive: true, force: true });
const out = join(staging, 'nodejs');
mkdirSync(out, { recursive: true });

declarations(join(out, 'index.d.ts'));
writeFileSync(
  join(out, 'package.json'),
  manifest(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))),
);
const files = await bundle(out);
writeFileSync(join(out, 'THIRD-PARTY-LICENSES'), licencesOf(files));
writeFileSync(join(out, 'index.mjs'), esModule(Object.keys(createRequire(import.meta.url)(out))));
writeFileSync(join(out, 'index.d.mts'), "export * from './index.js';\n");

const entries = filesBelow(out).map((path): [string, Uint8Array] => [
  relative(staging, path).split(sep).join('/'),
  readFileSync(path),
]);
writeFileSync(join(staging, 'layer.zip'), deterministicZip(Object.fromEntries(entries)));

if (existsSync(nodejs)) rmSync(nodejs, { recursive: true });
renameSync(out, nodejs);
renameSync(join(staging, 'layer.zip'), join(dist, 'layer.zip'));
rmSync(staging, { recursive: true });
