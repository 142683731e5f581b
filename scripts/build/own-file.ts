import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Leaves a module that others import out of their bundles, as a file of the same name beside them. */
export function ownFile(module: string): Plugin {
  return {
    name: 'own file',
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, resolveDir, kind }) => {
        if (kind === 'entry-point' || `${join(resolveDir, path)}.ts` !== module) return undefined;
        return { path: `./${basename(path)}.js`, external: true };
      });
    },
  };
}
