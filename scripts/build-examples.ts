/**
 * `npm run build:examples`: bundles the functions of the examples. In `examples/<name>/src/`, each `<function>.mjs.ts` or
 * `<function>.cjs.ts` is one; it becomes `examples/<name>/dist/<function>.zip`, the same bytes on every machine.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { deterministicZip } from './deterministic-zip';

const examples = join(import.meta.dirname, '../examples');

async function buildFunction(example: string, source: string): Promise<void> {
  const file = source.replace(/\.ts$/, '');
  const { outputFiles } = await build({
    entryPoints: [join(examples, example, 'src', source)],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node22',
    format: file.endsWith('.mjs') ? 'esm' : 'cjs',
    mainFields: ['module', 'main'],
    // The layer is there at run time: it is what the function shares with others and what the module publishes.
    external: ['/opt/*'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    absWorkingDir: join(examples, '..'),
  });
  const dist = join(examples, example, 'dist');
  mkdirSync(dist, { recursive: true });
  const zip = deterministicZip(Object.fromEntries(outputFiles.map(({ contents }) => [file, contents])));
  writeFileSync(join(dist, file.replace(/\.[cm]js$/, '.zip')), zip);
}

for (const example of readdirSync(examples)) {
  const functions = readdirSync(join(examples, example, 'src')).filter((name) => /\.[cm]js\.ts$/.test(name));
  for (const source of functions) await buildFunction(example, source);
}
