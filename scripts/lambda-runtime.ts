/**
 * Lambda's own runtime for Node.js on this machine: AWS's Runtime Interface Emulator starts AWS's Runtime Interface
 * Client (the npm package that a function's image holds) on a real Node.js, with a layer at `/opt`. On Linux only.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { freePort } from './emulator';
import { goTool, missingGo } from './go-tools';

export type NodeVersion = 22 | 24;

export interface LambdaFunctionOptions {
  node: NodeVersion;
  /** The folder with the function's code, outside of this checkout, whose packages would be the function's. */
  code: string;
  /** `<file without extension>.<export>`. */
  handler: string;
  /** The folder that is at `/opt` for the function: an unpacked layer. */
  layer: string;
  /** Seconds that an invocation may take. */
  timeout: number;
  /** All that the function finds in its environment besides what Lambda sets. */
  env: Record<string, string>;
}

export interface LambdaFunction {
  /** Path of what the emulator, the runtime and the function have printed. */
  log: string;
  /** Resolves to what the handler returned, or to `{ errorType, errorMessage }` where it failed. One at a time. */
  invoke(event: unknown): Promise<unknown>;
  /** Ends the function. It also ends with the process that started it. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const runtimeClient = join(root, 'tools/node_modules/aws-lambda-ric');
const READY_WITHIN_SECONDS = 30;

/**
 * Starts a function; its code is loaded at the first invocation. The first use ever builds AWS's programs: minutes.
 *
 * @throws where the machine lacks something, with how to get it.
 * @example
 * const confirm = await startFunction({ node: 22, code: '/tmp/code', handler: 'confirm.handler', layer: 'dist', … })
 * await confirm.invoke({ order: '1042' })
 */
export async function startFunction(options: LambdaFunctionOptions): Promise<LambdaFunction> {
  const missing = await missingForLambdaRuntime();
  if (missing !== undefined) throw new Error(missing);
  await buildLambdaRuntime();

  const { node, code, handler, layer, timeout, env } = options;
  const [port, runtimePort] = await Promise.all([freePort(), freePort()]);
  const address = `127.0.0.1:${port}`;
  const logs = join(root, '.cache/lambda-runtime');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${port}.log`);
  const output = openSync(log, 'w');
  const child = spawn(
    'setpriv',
    [
      ...inNamespace(layer),
      await goTool('aws-lambda-rie'),
      // The emulator's own default is all interfaces.
      ...['--runtime-interface-emulator-address', address],
      ...['--runtime-api-address', `127.0.0.1:${runtimePort}`],
      nodeBinary(node),
      // As Lambda starts it: require() of an ES module fails.
      // https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html
      ...['--no-experimental-require-module', '--no-experimental-detect-module'],
      join(runtimeClient, 'index.mjs'),
      handler,
    ],
    {
      cwd: code,
      stdio: ['ignore', output, output],
      env: {
        PATH: process.env.PATH,
        AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${node}.x`,
        AWS_LAMBDA_FUNCTION_NAME: handler,
        AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeout),
        LAMBDA_TASK_ROOT: code,
        ...env,
      },
    },
  );
  closeSync(output);
  const exited = once(child, 'exit');

  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };

  const until = Date.now() + READY_WITHIN_SECONDS * 1000;
  while (!(await answers(address))) {
    if (child.exitCode === null && Date.now() < until) {
      await sleep(50);
      continue;
    }
    await stop();
    throw new Error(`${handler} on Node.js ${node} did not start. The end of ${log}:\n${tail(log)}`);
  }
  return {
    log,
    async invoke(event) {
      const url = `http://${address}/2015-03-31/functions/function/invocations`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
      const payload = await response.text();
      try {
        return JSON.parse(payload);
      } catch {
        throw new Error(`${handler} answered "${payload}". The end of ${log}:\n${tail(log)}`);
      }
    },
    stop,
  };
}

/**
 * Arguments of setpriv(1) that start what follows them in a namespace of its own: its `/opt` is the layer, the machine's
 * stays as it is. However this process dies, unshare dies with it, and with that all processes of the namespace.
 */
function inNamespace(layer: string): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  return [
    ...['--pdeathsig', 'KILL'],
    ...['unshare', ...asRoot, '--mount', '--pid', '--fork', '--kill-child'],
    ...['sh', '-ec', 'mount --bind "$1" /opt; shift; exec "$@"', 'sh', layer],
  ];
}

const nodeBinary = (node: NodeVersion) => join(root, `node_modules/node-${node}/bin/node`);

/** What the machine lacks to have each Node.js that Lambda has, and how to get it. */
export async function missingNodeVersions(): Promise<string | undefined> {
  const versions: NodeVersion[] = [22, 24];
  if (versions.every((node) => existsSync(nodeBinary(node)))) return undefined;
  return 'The npm packages node-22 and node-24 are needed, which are for Linux on x64: run npm ci there, for instance in a virtual machine.';
}

/** What the machine lacks to run functions, and how to get it; `undefined` where it has all. */
export async function missingForLambdaRuntime(): Promise<string | undefined> {
  const versions = await missingNodeVersions();
  if (versions !== undefined) return versions;
  // Tried out, and not asked for: containers withhold it from root, too. Fails also for a checkout below /opt.
  const args = [...inNamespace(root), nodeBinary(22), '--version'];
  const { status, error, stderr } = spawnSync('setpriv', args, { encoding: 'utf8' });
  if (status !== 0) {
    return `Mounting the layer at /opt needs root, or unprivileged user namespaces, and a checkout that is not below /opt: run as root. (${error?.message ?? stderr.trim()})`;
  }
  const build = ['cmake', 'make', 'c++', 'python3'].filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (build.length > 0 && !clientIsBuilt()) {
    return `Building aws-lambda-ric needs ${build.join(', ')}: get them from your package manager (Debian, Ubuntu: apt install cmake g++ make python3).`;
  }
  return missingGo();
}

/** Builds AWS's emulator and client, unless that is done. */
export async function buildLambdaRuntime(): Promise<void> {
  await goTool('aws-lambda-rie');
  if (clientIsBuilt()) return;
  process.stderr.write('Building aws-lambda-ric …\n');
  const node = join(root, 'node_modules/node-22');
  await execa('npm', ['ci'], {
    cwd: join(root, 'tools'),
    // On the Node.js that it is for, and with the headers that are in that package.
    env: { PATH: [join(node, 'bin'), process.env.PATH].join(delimiter), npm_config_nodedir: node },
    stdin: 'ignore',
  });
}

/** Its native part is what npm builds last, and it stands for Node.js 22 and 24: it is made with Node-API. */
function clientIsBuilt(): boolean {
  if (!existsSync(join(runtimeClient, 'rapid-client.node'))) return false;
  const version = (file: string) => JSON.parse(readFileSync(file, 'utf8')).version;
  const { dependencies } = JSON.parse(readFileSync(join(root, 'tools/package.json'), 'utf8'));
  return version(join(runtimeClient, 'package.json')) === dependencies['aws-lambda-ric'];
}

async function answers(address: string): Promise<boolean> {
  try {
    await fetch(`http://${address}/`);
    return true;
  } catch {
    return false;
  }
}

function tail(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}
