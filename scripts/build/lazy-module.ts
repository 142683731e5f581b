import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/**
 * Bundles a module that is imported on demand by itself first: esbuild keeps the whole of what is imported so, whereas
 * of a bundle of its own it leaves out what is not used. The files that go into it are added to `inputs`.
 */
export function lazyModule(module: string, options: BuildOptions, inputs: Set<string>): Plugin {
  return {
    name: 'lazy module',
    setup(outer) {
      outer.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path !== module) return undefined;
        const { metafile, outputFiles } = await build({
          ...options,
          entryPoints: [path],
          format: 'esm',
          metafile: true,
          write: false,
        });
        for (const input of inputsOf(metafile)) inputs.add(input);
        return { contents: outputFiles[0]?.text ?? '', loader: 'js' };
      });
    },
  };
}

/** The files of which something got into a bundle. */
export function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}
