import { type BuildOptions, build, type Plugin } from 'esbuild';

/**
 * Bundles modules that are imported on demand by themselves first: esbuild keeps the whole of what is imported so,
 * whereas of a bundle of its own it leaves out what is not used.
 */
export function lazyModules(paths: string[], options: BuildOptions): Plugin {
  return {
    name: 'lazy modules',
    setup(outer) {
      outer.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!paths.includes(path)) return undefined;
        const { outputFiles } = await build({ ...options, entryPoints: [path], format: 'esm', write: false });
        return { contents: outputFiles[0]?.text ?? '', loader: 'js' };
      });
    },
  };
}
