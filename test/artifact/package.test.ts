import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Consumer, consumer, root } from './packed';

let project: Consumer;
beforeAll(() => {
  project = consumer();
}, 120_000);
afterAll(() => project.remove());

const installed = (name: string) => join(project.folder, 'node_modules/run-once', name);
const runtimes = [
  process.execPath,
  ...['node-22', 'node-24'].map((name) => join(root, 'node_modules', name, 'bin/node')),
];

describe('the tarball', () => {
  it('holds the library, the kit, the command line and their types, and nothing else', () => {
    const files = execFileSync('tar', ['-tzf', project.tarball], { encoding: 'utf8' }).trim().split('\n');
    const others = files
      .map((file) => file.replace('package/', ''))
      .filter((file) => !/^[\w-]+\.d\.m?ts$|^sources\/[\w-]+\.d\.ts$/.test(file));
    expect(others.sort()).toEqual([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES',
      'cli.js',
      'index.js',
      'index.mjs',
      'package.json',
      'sdk-commands.js',
      'testing.js',
      'testing.mjs',
    ]);
    expect(files).toEqual(
      expect.arrayContaining(['package/index.d.ts', 'package/index.d.mts', 'package/testing.d.ts']),
    );
  });

  it('is small enough to be no thought', () => {
    expect(statSync(project.tarball).size).toBeLessThan(400_000);
  });

  it('has the very library of the layer', () => {
    expect(readFileSync(installed('index.js'))).toEqual(readFileSync(join(root, 'dist/nodejs/index.js')));
  });

  it('has a manifest of its own: public, without dependencies, scripts or what is private', () => {
    const manifest = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'run-once', version, bin: { 'run-once': './cli.js' } });
    for (const absent of ['private', 'dependencies', 'devDependencies', 'optionalDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(absent);
    }
    expect(Object.values(manifest.peerDependenciesMeta)).toEqual(
      Object.keys(manifest.peerDependencies).map(() => ({ optional: true })),
    );
  });

  it('names the licences of all that is bundled', () => {
    const licences = readFileSync(installed('THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['@aws-sdk/client-dynamodb', 'devalue', 'commander', 'cli-table3']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });
});

it('publint finds nothing', () => {
  const found = project.run('publint', ['--strict', 'node_modules/run-once']);
  expect(found).toContain('All good!');
});

it('every resolution mode finds its types (Are the types wrong?)', () => {
  expect(project.run('attw', [project.tarball])).toContain('No problems found');
});

describe.each(runtimes)('on %s', (node) => {
  const run = (name: string, source: string) => {
    project.write(name, source);
    return project.run(node, [name]).trim();
  };

  it('is imported and required', () => {
    const use = `
      const { runOnce, records } = createTestRunOnce();
      runOnce('k', 30, () => 'ran').then(() => runOnce('k', 30, () => 'again')).then((result) => {
        console.log(result, records.size, typeof library.sqsHandler);
      });`;
    const esm = "import * as library from 'run-once'; import { createTestRunOnce } from 'run-once/testing';";
    const cjs =
      "const library = require('run-once'); const { createTestRunOnce } = require('run-once/testing');";
    expect(run('use.mjs', esm + use)).toBe('ran 1 function');
    expect(run('use.cjs', cjs + use)).toBe('ran 1 function');
  });

  it('its errors are those of the library, though the kit is another copy', () => {
    const source = `
      const { StillInProgressError } = require('run-once');
      const { runOnce } = require('run-once/testing').createTestRunOnce();
      runOnce('k', 30, () => new Promise(() => {}));
      runOnce('k', 30, () => 'again').catch((error) => console.log(error instanceof StillInProgressError));`;
    expect(run('errors.cjs', source)).toBe('true');
  });

  it('its clock moves under fake timers', () => {
    const source = `
      import { mock } from 'node:test';
      import { createTestRunOnce } from 'run-once/testing';
      mock.timers.enable();
      const { clock } = createTestRunOnce();
      await clock.advance(5);
      console.log(clock.now() / 1000 % 10);`;
    expect(run('fake-timers.mjs', source)).toMatch(/^5$/m);
  });

  it('starts the command line', () => {
    expect(project.run(node, [installed('cli.js'), '--help'])).toContain('Usage: run-once');
  });
});
