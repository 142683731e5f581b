import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A project that has the package installed as npm would, and whatever else it uses from this checkout. */
export interface Consumer {
  folder: string;
  /** The package's tarball. */
  tarball: string;
  write(name: string, text: string): void;
  /** Runs a program of `node_modules/.bin`, and gives what it has written to both outputs. */
  run(program: string, args: string[], env?: Record<string, string>): string;
  remove(): void;
}

export function consumer(...packages: string[]): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  const at = (name: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  const output = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/package.ts', folder], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const tarball = output.trim();
  const installed = at('node_modules/run-once/package.json');
  execFileSync('tar', ['-xzf', tarball, '-C', dirname(installed), '--strip-components=1']);
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), at(`node_modules/${name}`));
  writeFileSync(at('package.json'), '{ "name": "consumer", "private": true }');
  return {
    folder,
    tarball,
    write: (name, text) => writeFileSync(at(name), text),
    run: (program, args, env = {}) => run(folder, program, args, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function run(folder: string, program: string, args: string[], env: Record<string, string>): string {
  const path = [join(folder, 'node_modules/.bin'), join(root, 'node_modules/.bin')]
    .map((bin) => join(bin, program))
    .find(existsSync);
  const command = path ?? program;
  try {
    return execFileSync('sh', ['-c', '"$0" "$@" 2>&1', command, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...env },
    });
  } catch (error) {
    throw new Error(`${program} failed:\n${(error as { stdout: string }).stdout}`);
  }
}
