import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How the emulated functions find their layers at `/opt`: see `mount/node` and `hook/node`. */
export type Layers = 'mount' | 'hook';

const root = join(import.meta.dirname, '../..');

/**
 * The environment in which the emulator's `node` is Node.js 22 with a function's layers at `/opt`.
 *
 * @param wanted Default: `mount` where the machine lets us, else `hook`.
 * @throws Error where there is no Node.js 22, or where `mount` is wanted and the machine does not let us.
 */
export function functionNode(wanted?: string): { layers: Layers; env: Record<string, string> } {
  if (wanted !== undefined && wanted !== 'mount' && wanted !== 'hook') {
    throw new Error(`EMULATOR_LAYERS is ${wanted}, but it must be mount or hook. Correct it or unset it.`);
  }
  const env = {
    FUNCTION_NODE: findNode(),
    FIND_HANDLERS: join(import.meta.dirname, 'find-cjs-handlers.cjs'),
  };
  const mount = ['', '--map-root-user']
    .map((options) => ({ ...env, PATH: pathWith('mount'), FUNCTION_UNSHARE: options }))
    .find((candidate) => wanted !== 'hook' && works(candidate));
  if (mount) return { layers: 'mount', env: mount };
  if (wanted !== 'mount') return { layers: 'hook', env: { ...env, PATH: pathWith('hook') } };
  throw new Error(
    'EMULATOR_LAYERS is mount, but this process can mount nothing at /opt: that needs Linux, and root or unprivileged user namespaces. Set EMULATOR_LAYERS=hook or unset it.',
  );
}

const pathWith = (layers: Layers) => [join(import.meta.dirname, layers), process.env.PATH].join(delimiter);

/** Runs the very launcher of the functions. It also fails where the checkout is below /opt, which the mount would hide. */
function works(env: Record<string, string>): boolean {
  const program = join(import.meta.dirname, 'mount/node');
  return spawnSync(program, ['-e', ''], { env, cwd: root, stdio: 'ignore' }).status === 0;
}

// The first with module.registerHooks, which the hook stands on.
const AT_LEAST = [22, 15] as const;

/** Node.js 22 from its npm package; where that has no build for the machine, the one on PATH if it is recent enough. */
function findNode(): string {
  const packaged = join(root, 'node_modules/node-22/bin/node');
  if (existsSync(packaged)) return packaged;
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node + " " + process.execPath'], {
    encoding: 'utf8',
  });
  const [, version = 'missing', path] = /^(\S+) (.+)$/m.exec(stdout ?? '') ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (path !== undefined && (major > AT_LEAST[0] || (major === AT_LEAST[0] && minor >= AT_LEAST[1]))) {
    return path;
  }
  throw new Error(
    `The emulated functions need Node.js ${AT_LEAST.join('.')} or later. On Linux on x64 npm installs it; here node on PATH is used, which is ${version}. Install Node.js 22 from https://nodejs.org and put it first on PATH.`,
  );
}
