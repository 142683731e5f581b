import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** How all that is published is bundled: one file for Node.js, of which nobody reads more than what it does. */
export const bundling: BuildOptions = {
  bundle: true,
  platform: 'node',
  // The SDK's ES modules, of which only what is used gets into the bundle.
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // V8 reads a file of ASCII alone at half the memory.
  charset: 'ascii',
  logLevel: 'warning',
  absWorkingDir: join(import.meta.dirname, '../..'),
};
