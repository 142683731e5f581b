/**
 * The AWS emulator of the tests and the demo: MiniStack on a free loopback port, its functions on Node.js 22, each with
 * its own layers at `/opt`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { functionNode, type Layers } from './emulator/function-node';

export interface Emulator {
  endpoint: string;
  region: string;
  /** For child processes and SDK clients. */
  env: ReturnType<typeof awsEnvironment> & { HTTP_PROXY: string };
  /** Path of the emulator's log, which also holds what the functions printed. */
  log: string;
  /** Ends the emulator and its functions. They also end with the process that started them. */
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  /** How functions find their layers at `/opt`. Default: `EMULATOR_LAYERS`, else by mount where the machine lets us. */
  layers?: Layers;
}

const root = join(import.meta.dirname, '..');
const region = 'us-east-1';
const READY_WITHIN_SECONDS = 60;

/**
 * Starts an emulator with nothing in it. Needs the `.venv` that `node scripts/setup.mjs` makes.
 *
 * @throws Error with the end of its log where it does not start, and with the fix where the machine lacks something.
 * @example
 * const { endpoint, region, env, stop } = await startEmulator()
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const python = join(root, '.venv/bin/python');
  if (!existsSync(python)) throw new Error('The emulator is not installed. Run: node scripts/setup.mjs');
  const node = functionNode(options.layers ?? process.env.EMULATOR_LAYERS);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const aws = awsEnvironment(endpoint);
  // For hosts that begin with the account, see emulator/account_hosts.py. Who asks a loopback address needs no proxy.
  const env = { ...aws, HTTP_PROXY: endpoint };

  const logs = join(root, '.cache/emulator');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${port}.log`);
  const output = openSync(log, 'w');
  // Not below the repository, whose package.json and node_modules would be those of the functions.
  const files = mkdtempSync(join(tmpdir(), 'emulator-'));

  const child = spawn(program('run.sh'), [python, program('start.py')], {
    cwd: files,
    // A group of its own, which Ctrl-C does not reach and which ends as one.
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
    // Nothing of ours is inherited: whatever is in the emulator's environment is in that of its functions.
    env: { ...aws, ...node.env, ...settings(port, files) },
  });
  closeSync(output);
  child.unref();
  const lifeline = child.stdio[3] as Socket;
  lifeline.on('error', () => {});
  lifeline.resume().unref();

  const stop = async () => {
    if (lifeline.closed) return;
    lifeline.ref().end();
    // The other end is held by the last of the group.
    await once(lifeline, 'close');
  };

  let exit: string | undefined;
  child.once('error', ({ message }) => {
    exit = message;
  });
  child.once('exit', (code, signal) => {
    exit = `exit ${code ?? signal}`;
  });
  const until = Date.now() + READY_WITHIN_SECONDS * 1000;
  while (!(await isReady(endpoint))) {
    if (exit !== undefined || Date.now() > until) {
      await stop();
      const reason = exit ?? `not ready within ${READY_WITHIN_SECONDS} seconds`;
      throw new Error(`The emulator did not start (${reason}). The end of ${log}:\n${tail(log)}`);
    }
    await sleep(50);
  }
  return { endpoint, region, env, log, stop };
}

const program = (name: string) => join(import.meta.dirname, 'emulator', name);

/** That of a program whose AWS is at that endpoint. */
export function awsEnvironment(endpoint: string) {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

function settings(port: number, files: string): Record<string, string> {
  return {
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    // Two more services that would listen, on ports of their own.
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    // It would clean up containers of its kind; none of them is ours.
    DOCKER_HOST: `unix://${join(files, 'no-docker.sock')}`,
    // Where run.sh finds what to remove, and everything that writes files puts them.
    EMULATOR_FILES: files,
    HOME: files,
    S3_DATA_DIR: join(files, 's3'),
    TMPDIR: files,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
  };
}

/** A loopback port that nothing listens on, for now. */
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
