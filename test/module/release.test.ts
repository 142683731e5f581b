import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { execa } from 'execa';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { remove, workspace } from './workspace';

jest.setTimeout(5 * 60_000);

const root = join(import.meta.dirname, '../..');
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();

let folder: string;
/** A maintainer's checkout, of what is in this one. */
let checkout: string;
let origin: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maintainer-'));
  checkout = join(folder, 'checkout');
  origin = join(folder, 'origin.git');
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
  git(folder, 'clone', '--quiet', origin, checkout);
  git(checkout, 'config', 'user.name', 'Maintainer');
  git(checkout, 'config', 'user.email', 'maintainer@example.com');
  const files = git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n');
  for (const file of files.filter((file) => existsSync(join(root, file)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    copyFileSync(join(root, file), join(checkout, file));
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  git(checkout, 'checkout', '--quiet', '-B', 'main');
  git(checkout, 'add', '--all');
  git(checkout, 'commit', '--quiet', '--message', 'Begin');
  git(checkout, 'tag', 'v1.9.0');
  change('layer/index.ts', 'feat(layer): tell the time');
  change('main.tf', 'Say what the module is for');
  change('test/memory.test.ts', 'Test what users do not see');
  git(checkout, 'push', '--quiet', '--tags', 'origin', 'main');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A commit that changes a file in nothing that matters. */
function change(file: string, message: string): void {
  const path = join(checkout, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, `${text}${file.endsWith('.tf') ? '#' : '//'} ${message}\n`);
  git(checkout, 'add', file);
  git(checkout, 'commit', '--quiet', '--message', message);
}

const release = (...args: string[]) =>
  execa(process.execPath, ['--import', 'tsx', 'scripts/release.ts', ...args], {
    cwd: checkout,
    all: true,
    reject: false,
    env: { NODE_OPTIONS: '' },
  });

describe('is refused', () => {
  it.each([
    ['2', 'must be like 1.2.3'],
    ['v2.0.0', 'must be like 1.2.3'],
    ['2.0.0-rc.1', 'must be like 1.2.3'],
    ['1.9.0', 'is not later'],
    ['1.10', 'must be like 1.2.3'],
    ['1.8.99', 'is not later'],
  ])('as %s', async (version, reason) => {
    const { exitCode, all } = await release('--dry-run', version);
    expect(all).toContain(reason);
    expect(exitCode).toBe(1);
  });

  it('with changes that are not committed', async () => {
    writeFileSync(join(checkout, 'note.txt'), '');
    const { exitCode, all } = await release('--dry-run', '1.10.0');
    rmSync(join(checkout, 'note.txt'));
    expect(all).toMatch(/Commit or discard it:\n\?\? note\.txt/);
    expect(exitCode).toBe(1);
  });

  it('on another branch than main', async () => {
    git(checkout, 'switch', '--quiet', '--create', 'other');
    const { exitCode, all } = await release('--dry-run', '1.10.0');
    git(checkout, 'switch', '--quiet', 'main');
    expect(all).toContain('this is other. Run git switch main.');
    expect(exitCode).toBe(1);
  });

  it('of a main that origin does not have', async () => {
    change('main.tf', 'Not pushed');
    const { exitCode, all } = await release('1.10.0');
    git(checkout, 'reset', '--quiet', '--hard', 'HEAD^');
    expect(all).toContain('main is not what origin has');
    expect(exitCode).toBe(1);
  });
});

it('--dry-run makes all of it and pushes nothing', async () => {
  const before = git(origin, 'for-each-ref');
  const { exitCode, all } = await release('--dry-run', '1.10.0');
  expect(all).toMatch(
    /\n## 1\.10\.0 \(\d{4}-\d\d-\d\d\)\n\n[\s\S]+\n\nWould push: [0-9a-f]{40}:refs\/heads\/main [0-9a-f]{40}:refs\/tags\/v1\.10\.0/,
  );
  expect(exitCode).toBe(0);
  expect(git(origin, 'for-each-ref')).toBe(before);
  expect(git(checkout, 'status', '--porcelain')).toBe('');
});

describe('a release', () => {
  beforeAll(async () => {
    const { exitCode, all } = await release('1.10.0');
    if (exitCode !== 0) throw new Error(all);
  });

  const show = (path: string) => git(origin, 'show', `v1.10.0:${path}`);

  it('leads main to the version and its changelog, without what is built', () => {
    expect(git(origin, 'log', '-1', '--format=%s', 'main')).toBe('chore: release 1.10.0');
    expect(git(origin, 'rev-parse', 'v1.10.0^{commit}^')).toBe(git(origin, 'rev-parse', 'main'));
    expect(git(origin, 'ls-tree', '--name-only', 'main', 'dist/')).toBe('');
    expect(JSON.parse(show('package.json')).version).toBe('1.10.0');
    expect(JSON.parse(show('package-lock.json')).version).toBe('1.10.0');
    expect(JSON.parse(show('dist/nodejs/package.json')).version).toBe('1.10.0');
  });

  it('has a changelog of what its users get', () => {
    const [, unreleased = '', section = ''] = show('CHANGELOG.md').split(/^## /m);
    expect(unreleased.trim()).toBe('Unreleased');
    expect(section).toMatch(/^1\.10\.0 \(\d{4}-\d\d-\d\d\)\n/);
    expect(section).toContain('### Added\n\n- Tell the time\n');
    expect(section).toContain('### Changed\n\n- Say what the module is for\n');
    expect(section).not.toContain('users do not see');
  });

  it('has the zip that its own sources make', () => {
    const clone = join(folder, 'rebuilt');
    git(
      folder,
      'clone',
      '--quiet',
      '--config',
      'advice.detachedHead=false',
      '--branch',
      'v1.10.0',
      origin,
      clone,
    );
    const zip = () => readFileSync(join(clone, 'dist/layer.zip'));
    const released = zip();
    rmSync(join(clone, 'dist'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: clone });
    expect(zip().equals(released)).toBe(true);
  });

  describe('as the source of a module', () => {
    let emulator: Emulator;
    let user: string;
    beforeAll(async () => {
      emulator = await startEmulator();
      user = workspace('release');
      const source = `git::file://${origin}?ref=v1.10.0`;
      const main = {
        module: { idempotency: { source, name: 'released', table_deletion_protection: false } },
      };
      writeFileSync(
        join(user, 'main.tf.json'),
        JSON.stringify({ ...main, output: { layer_arn: { value: `\${module.idempotency.layer_arn}` } } }),
      );
    });
    afterAll(async () => {
      await emulator.stop();
      remove(user);
    });

    it('is planned, applied and destroyed, and nothing is built for it', async () => {
      const { env } = emulator;
      await terraform(user, ['init']);
      const module = join(user, '.terraform/modules/idempotency');
      expect(existsSync(join(module, 'dist/layer.zip'))).toBe(true);
      expect(existsSync(join(module, 'node_modules'))).toBe(false);
      await terraform(user, ['apply', '-auto-approve'], { env });
      expect(await outputs(user, { env })).toEqual({ layer_arn: expect.stringMatching(/:released:1$/) });
      expect(await planHasChanges(user, [], { env })).toBe(false);
      await terraform(user, ['destroy', '-auto-approve'], { env });
    });
  });
});
