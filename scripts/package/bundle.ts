import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Bundles a source with all that it imports into one file, an ES module if it is called so; resolves to what went into it. */
export async function bundle(source: string, outfile: string, firstLine?: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(root, source)],
    outfile,
    ...(firstLine !== undefined && { banner: { js: firstLine } }),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: outfile.endsWith('.mjs') ? 'esm' : 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: root,
  });
  return Object.keys(metafile.inputs);
}
