import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundling } from '../build/bundling';
import { inputsOf, lazyModule } from '../build/lazy-module';

const root = join(import.meta.dirname, '../..');

const options: BuildOptions = { ...bundling, target: 'node20' };

/** Bundles a source with all that it imports into one file, an ES module if it is called so; resolves to what went into it. */
export async function bundle(source: string, outfile: string, firstLine?: string): Promise<string[]> {
  const lazy = new Set<string>();
  const onDemand = ['layer/bundled-client.ts', 'layer/sdk-commands.ts'];
  const { metafile } = await build({
    ...options,
    metafile: true,
    entryPoints: [join(root, source)],
    outfile,
    ...(firstLine !== undefined && { banner: { js: firstLine } }),
    format: outfile.endsWith('.mjs') ? 'esm' : 'cjs',
    plugins: onDemand.map((module) => lazyModule(join(root, module), options, lazy)),
  });
  return [...inputsOf(metafile), ...lazy];
}
