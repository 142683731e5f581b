/**
 * `npm run package`: makes `dist/npm/`, the npm package `run-once`, and its tarball beside it: the layer's library for
 * functions that bundle it, the kit for tests, the command line. It has no dependencies: all is bundled. Takes
 * `dist/nodejs/` as `npm run build` has made it; another folder than `dist/` may be given.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { execa } from 'execa';
import { bundle } from './package/bundle';
import { licencesOf } from './package/licences';
import { manifest } from './package/manifest';
import { testingDeclarations } from './package/testing-declarations';

const root = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist'));
const out = join(folder, 'npm');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// The very files of the layer, so that what is tested or bundled with the package is what runs in Lambda.
const layer = join(root, 'dist/nodejs');
cpSync(layer, out, { recursive: true, filter: (path) => basename(path) !== 'package.json' });

// … but for the ES module: bundlers do not follow its require, nor can what they make require anything.
const library = await bundle('layer/index.ts', join(out, 'index.mjs'));

const testing = await bundle('testing/index.ts', join(out, 'testing.js'));
writeFileSync(
  join(out, 'testing.mjs'),
  "import testing from './testing.js';\nexport const { createTestRunOnce } = testing;\n",
);
writeFileSync(join(out, 'testing.d.ts'), await testingDeclarations());
writeFileSync(join(out, 'testing.d.mts'), "export * from './testing.js';\n");

const cli = await bundle('cli/main.ts', join(out, 'cli.js'), '#!/usr/bin/env node');

cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
cpSync(join(import.meta.dirname, 'package/README.md'), join(out, 'README.md'));
writeFileSync(join(out, 'THIRD-PARTY-LICENSES'), licencesOf([...library, ...testing, ...cli]));
writeFileSync(join(out, 'package.json'), manifest(readFileSync(join(root, 'package.json'), 'utf8')));

const { stdout } = await execa('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: out });
console.log(join(folder, stdout.trim()));
