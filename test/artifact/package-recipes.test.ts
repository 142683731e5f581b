import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { blocksOf } from '../docs/code-blocks';
import { type Consumer, consumer, root } from './packed';

/** The recipes of the guides, in a project that has the package as a user has it. */
let project: Consumer;
beforeAll(() => {
  project = consumer('@jest', '@swc', '@types', 'jest', 'tsx', 'webpack');
}, 120_000);
afterAll(() => project.remove());

const [tsconfig = ''] = blocksOf('docs/typescript.md', 'json');
const handler = (layer: string, type = ''): string =>
  `import { keyOf } from '${layer}';\nexport const handler = async (event${type}) => keyOf('charge', event.id);\n`;

it('docs/testing.md: its handler, tests and configuration work together', () => {
  for (const block of blocksOf('docs/testing.md', 'ts')) {
    const [, name = ''] = /^\/\/ (\S+\.ts)\n/.exec(block) ?? [];
    project.write(name, block);
  }
  project.write('jest.config.json', blocksOf('docs/testing.md', 'json')[0] ?? '');
  expect(project.run('jest', ['--ci'])).toMatch(/Tests: +3 passed, 3 total/);
});

describe('docs/typescript.md: the compiler', () => {
  it.each(['bundler', 'nodenext'])('finds the types, with moduleResolution %s', (moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const changed = JSON.parse(tsconfig);
    Object.assign(changed.compilerOptions, { module, moduleResolution });
    project.write('tsconfig.json', JSON.stringify(changed));
    project.write('src/charge.mts', handler('/opt/nodejs/index.mjs', ': { id: string }'));
    project.write('src/charge.cts', handler('/opt/nodejs', ': { id: string }'));
    // An error in itself where the types are any.
    const wrong = handler('/opt/nodejs/index.mjs', ': { id: Date }').replace(
      'export',
      '// @ts-expect-error\nexport',
    );
    project.write('src/wrong.mts', wrong);
    expect(project.run('tsc', [])).toBe('');
  });
});

describe('docs/typescript.md: the bundler leaves the layer to Lambda', () => {
  beforeAll(() => {
    project.write('tsconfig.json', tsconfig);
    project.write('src/charge.ts', handler('/opt/nodejs/index.mjs', ': { id: string }'));
    project.write('src/charge-cjs.ts', handler('/opt/nodejs', ': { id: string }'));
    // Without types, as after a loader.
    project.write('src/charge.js', handler('/opt/nodejs/index.mjs'));
    project.write('src/charge-cjs.js', handler('/opt/nodejs'));
  });

  const esbuild = (
    blocksOf('docs/typescript.md', 'sh').find((block) => block.startsWith('esbuild')) ?? ''
  ).trim();

  it('esbuild, to an ES module', () => {
    project.run('sh', ['-c', `${join(root, 'node_modules/.bin')}/${esbuild}`]);
    expectToRun('dist/charge.mjs', /from ?"\/opt\/nodejs\/index\.mjs"/);
  });

  it('esbuild, to CommonJS', () => {
    const cjs = esbuild
      .replace('--format=esm', '--format=cjs')
      .replace('src/charge.ts', 'src/charge-cjs.ts')
      .replace('charge.mjs', 'charge.cjs');
    project.run('sh', ['-c', `${join(root, 'node_modules/.bin')}/${cjs}`]);
    expectToRun('dist/charge.cjs', /require\("\/opt\/nodejs"\)/);
  });

  const webpack = (change: string) => `
    import webpack from 'webpack';
    import config from './webpack.config';
    ${change}
    webpack(config, (error, stats) => {
      console.log(error ?? stats?.toString({ all: false, errors: true, warnings: true }));
    });`;

  it('webpack, to an ES module', () => {
    project.write('webpack.config.ts', blocksOf('docs/typescript.md', 'ts')[0] ?? '');
    project.write('webpack.ts', webpack("config.entry = { webpacked: './src/charge.js' };"));
    expect(project.run('tsx', ['webpack.ts']).trim()).toBe('');
    expectToRun('dist/webpacked.mjs', /from ?"\/opt\/nodejs\/index\.mjs"/);
  });

  it('webpack, to CommonJS', () => {
    project.write('webpack.config.ts', blocksOf('docs/typescript.md', 'ts')[0] ?? '');
    const change = `
      delete config.experiments;
      config.entry = { webpacked: './src/charge-cjs.js' };
      config.output = { filename: '[name].cjs', library: { type: 'commonjs2' } };
      config.externalsType = 'commonjs';`;
    project.write('webpack.ts', webpack(change));
    expect(project.run('tsx', ['webpack.ts']).trim()).toBe('');
    expectToRun('dist/webpacked.cjs', /require\("\/opt\/nodejs"\)/);
  });

  /** It has the import and not the layer, and runs where `/opt` is the layer. */
  function expectToRun(file: string, theImport: RegExp): void {
    const text = readFileSync(join(project.folder, file), 'utf8');
    expect(text).toMatch(theImport);
    expect(text.length).toBeLessThan(10_000);

    // By import() from CommonJS, as Lambda loads either.
    const use = `import('./${file}').then(async (loaded) => {
      console.log(await (loaded.handler ?? loaded.default.handler)({ id: '1042' }));
    });`;
    project.write('use.cjs', use);
    const hook = join(root, 'scripts/emulator/hook/resolve-opt.cjs');
    const node = join(root, 'node_modules/node-22/bin/node');
    const env = { _LAMBDA_LAYERS_DIRS: join(root, 'dist') };
    expect(project.run(node, ['--require', hook, 'use.cjs'], env).trim()).toBe('charge#1042');
  }
});

describe('docs/typescript.md: the library in place of the layer', () => {
  it.each(['esm', 'cjs'])('esbuild, to %s', (format) => {
    project.write(
      'src/library.js',
      `import { createRunOnce } from 'run-once';
      const client = { config: { protocol: {} }, send: async ({ input }) => (console.log(input.TableName), {}) };
      createRunOnce({ tableName: 'records', client })('k', 30, () => 'ran').then(console.log);`,
    );
    const name = `alone/library.${format === 'esm' ? 'mjs' : 'cjs'}`;
    const options = ['--bundle', '--platform=node', `--format=${format}`, `--outfile=${name}`];
    project.run('esbuild', ['src/library.js', ...options]);
    // Moved to where there is no package.
    const folder = mkdtempSync(join(tmpdir(), 'alone-'));
    cpSync(join(project.folder, 'alone'), folder, { recursive: true });
    const printed = execFileSync('node', [join(folder, basename(name))], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(printed).toBe('records\nrecords\nran\n');
  });
});
