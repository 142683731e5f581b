/**
 * Runs Terraform, or OpenTofu where there is no Terraform, as the tests and the demo need it: without questions, and
 * with the AWS provider from a filesystem mirror where the machine has one.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { findMirror, holdsProvider, home, isAtLeast, parseVersion, type Version } from './provider-mirror';

export interface TerraformOptions {
  /** Added to the environment of this process, for instance an emulator's `env`. */
  env?: Record<string, string>;
}

interface Tool {
  command: string;
  registry: string;
  /** The CLI configuration that a user of this tool has at home. */
  userConfig: string;
}

const TOOLS: Tool[] = [
  { command: 'terraform', registry: 'registry.terraform.io', userConfig: '.terraformrc' },
  { command: 'tofu', registry: 'registry.opentofu.org', userConfig: '.tofurc' },
];

// The same as in versions.tf.
const TERRAFORM_AT_LEAST: Version = [1, 9];
const PROVIDER_AT_LEAST: Version = [5, 100];
/** Whether the module may use that version of the provider. */
export const isRecentEnough = (version: Version) => isAtLeast(version, PROVIDER_AT_LEAST);

/**
 * Runs one command in a folder and resolves to what it printed. Rejects with all of its output on any exit but 0.
 * For commands that take `-no-color`, which are all but those of a group, such as `state list`.
 *
 * @example
 * await terraform(folder, ['init'])
 * await terraform(folder, ['apply', '-auto-approve', '-var', 'name=orders'], { env: emulator.env })
 */
export async function terraform(
  cwd: string,
  args: [command: string, ...rest: string[]],
  options: TerraformOptions = {},
): Promise<string> {
  return (await run(cwd, args, options)).stdout;
}

/** Runs `plan` and tells whether it would change anything; this is how a test asks for an empty second plan. */
export async function planHasChanges(
  cwd: string,
  args: string[] = [],
  options: TerraformOptions = {},
): Promise<boolean> {
  const { exitCode } = await run(cwd, ['plan', '-detailed-exitcode', ...args], options, [0, 2]);
  return exitCode === 2;
}

/** The values of a root module's outputs, sensitive ones included. */
export async function outputs<T extends object>(cwd: string, options: TerraformOptions = {}): Promise<T> {
  const { stdout } = await run(cwd, ['output', '-json'], options);
  const described: Record<string, { value: unknown }> = JSON.parse(stdout);
  return Object.fromEntries(Object.entries(described).map(([name, { value }]) => [name, value])) as T;
}

async function run(
  cwd: string,
  [command, ...rest]: [string, ...string[]],
  { env = {} }: TerraformOptions,
  expectedExits = [0],
) {
  const { binary, env: ours } = await terraformCommand();
  const result = await execa(binary, [command, '-no-color', ...rest], {
    cwd,
    env: { ...ours, ...env },
    reject: false,
  });
  if (expectedExits.includes(result.exitCode ?? -1)) return result;
  throw new Error(
    `${binary} ${command} in ${cwd} failed: ${result.shortMessage}\n${result.stdout}\n${result.stderr}`,
  );
}

/** The program and what to add to its environment, for those who start it in a way of their own. */
export async function terraformCommand(): Promise<{
  binary: string;
  env: Record<string, string | undefined>;
}> {
  tool ??= findTool();
  const { command: binary, registry, userConfig } = await tool;
  cliConfig ??= { TF_CLI_CONFIG_FILE: cliConfigFile(registry, userConfig) };
  return { binary, env: { ...cliConfig, TF_IN_AUTOMATION: '1', TF_INPUT: '0' } };
}

let tool: Promise<Tool> | undefined;
let cliConfig: { TF_CLI_CONFIG_FILE: string | undefined } | undefined;

/**
 * Gives a folder the repository's lock file, unless a program or a mirror is named by `TF_BINARY` or `TF_PLUGIN_MIRROR`:
 * it is of Terraform's registry and of one version of the provider, and who names others wants others.
 */
export function lockProviders(folder: string): void {
  if (process.env.TF_BINARY !== undefined || process.env.TF_PLUGIN_MIRROR !== undefined) return;
  const name = '.terraform.lock.hcl';
  cpSync(join(import.meta.dirname, '..', name), join(folder, name));
}

async function findTool(): Promise<Tool> {
  const found: string[] = [];
  for (const candidate of candidates()) {
    const version = await versionOf(candidate.command);
    if (version !== undefined && isAtLeast(version, TERRAFORM_AT_LEAST)) return candidate;
    if (version !== undefined) found.push(`${candidate.command} ${version.join('.')}`);
  }
  throw new Error(
    `Terraform ${TERRAFORM_AT_LEAST.join('.')} or later is needed, or OpenTofu, but ${found.join(' and ') || 'neither'} was found on PATH. ` +
      'Get it from https://developer.hashicorp.com/terraform/install or https://opentofu.org/docs/intro/install.',
  );
}

/** What `TF_BINARY` names, else what is on PATH. */
function candidates(): Tool[] {
  const { TF_BINARY: named } = process.env;
  if (named === undefined) return TOOLS;
  const tool = TOOLS.find(({ command }) => command === basename(named));
  if (tool !== undefined) return [{ ...tool, command: named }];
  throw new Error(
    `TF_BINARY is ${named}, but it must be the path of a program that is called ${TOOLS.map(({ command }) => command).join(' or ')}. Correct it, or unset it to use what is on PATH.`,
  );
}

async function versionOf(command: string): Promise<Version | undefined> {
  const { stdout } = await execa(command, ['version', '-json'], { reject: false });
  const [, version] = /"terraform_version":\s*"([^"]+)"/.exec(stdout ?? '') ?? [];
  return version === undefined ? undefined : parseVersion(version);
}

/**
 * The CLI configuration to use, or `undefined` for Terraform's own default. What a user has set up is left to decide,
 * unless `TF_PLUGIN_MIRROR` names a mirror; a `TF_CLI_CONFIG_FILE` that is not there is not handed on.
 */
function cliConfigFile(registry: string, userConfig: string): string | undefined {
  const { TF_CLI_CONFIG_FILE: inherited, TF_PLUGIN_MIRROR: named } = process.env;
  if (named !== undefined && !holdsProvider(join(named, registry), isRecentEnough)) {
    throw new Error(
      `TF_PLUGIN_MIRROR is ${named}, but ${join(named, registry)} holds no hashicorp/aws ${PROVIDER_AT_LEAST.join('.')} or later. Correct it, or unset it to use the registry.`,
    );
  }
  if (named === undefined && inherited !== undefined && existsSync(inherited)) return inherited;
  if (named === undefined && existsSync(join(home(), userConfig))) return undefined;

  const mirror = named ?? findMirror(registry, isRecentEnough);
  if (mirror === undefined) return undefined;
  const provider = JSON.stringify(`${registry}/hashicorp/aws`);
  const content = `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = [${provider}]
  }
  direct {
    exclude = [${provider}]
  }
}
`;
  // Named by its content, so that runs that go on at the same time never change the file of another.
  const folder = join(import.meta.dirname, '../.cache/terraform');
  const file = join(folder, `cli-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.tfrc`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, content);
  return file;
}
