import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';

// Programs that stand in for Terraform and OpenTofu: they tell their version, else the CLI configuration they were given.
const environment = { ...process.env };
let folder: string;
let written: string | undefined;

beforeEach(() => {
  jest.resetModules();
  folder = mkdtempSync(join(tmpdir(), 'terraform-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['TF_BINARY', 'TF_CLI_CONFIG_FILE', 'TF_PLUGIN_MIRROR', 'XDG_DATA_HOME'])
    delete process.env[name];
  Object.assign(process.env, { PATH: join(folder, 'bin'), HOME: folder });
});

afterEach(() => {
  process.env = { ...environment };
  rmSync(folder, { recursive: true });
  if (written?.startsWith(join(import.meta.dirname, '../..'))) rmSync(written);
  written = undefined;
});

function install(name: string, version: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = version ]; then echo '{"terraform_version": "${version}"}'; exit; fi
echo "${name} $* with $TF_CLI_CONFIG_FILE"
if [ -n "$TF_CLI_CONFIG_FILE" ]; then while read -r line; do echo "$line"; done < "$TF_CLI_CONFIG_FILE"; fi
`,
  );
  chmodSync(path, 0o755);
}

function mirror(...entries: string[]): string {
  for (const entry of entries) mkdirSync(join(folder, 'mirror', entry), { recursive: true });
  return join(folder, 'mirror');
}

async function init(): Promise<string> {
  const { terraform } = await import('../../scripts/terraform');
  const output = await terraform(folder, ['init']);
  [, written] = / with (.*\/\.cache\/.*)/.exec(output) ?? [];
  return output;
}

it('says what to install where there is nothing, or nothing recent enough', async () => {
  await expect(init()).rejects.toThrow(
    'Terraform 1.9 or later is needed, or OpenTofu, but neither was found on PATH.',
  );
  jest.resetModules();
  install('terraform', '1.8.5');
  await expect(init()).rejects.toThrow('but terraform 1.8 was found on PATH.');
});

it('runs OpenTofu where Terraform is too old', async () => {
  install('terraform', '1.8.5');
  install('tofu', '1.10.0');
  process.env.TF_PLUGIN_MIRROR = mirror('registry.opentofu.org/hashicorp/aws/5.100.0');
  expect(await init()).toContain('include = ["registry.opentofu.org/hashicorp/aws"]');
});

it('runs the program that is named, whatever is on PATH', async () => {
  install('terraform', '1.9.0');
  install('tofu', '1.12.0');
  process.env.TF_BINARY = join(folder, 'bin/tofu');
  expect(await init()).toContain('tofu init -no-color');
});

it('refuses a named program of which it cannot tell the registry', async () => {
  process.env.TF_BINARY = join(folder, 'bin/terragrunt');
  await expect(init()).rejects.toThrow('must be the path of a program that is called terraform or tofu');
});

it('takes the provider from the mirror that is named, and all else from where it is', async () => {
  install('terraform', '1.9.0');
  process.env.TF_PLUGIN_MIRROR = mirror('registry.terraform.io/hashicorp/aws/6.0.0');
  const output = await init();
  expect(output).toMatch(/^terraform init -no-color with .*\.cache\/terraform\/cli-\w+\.tfrc$/m);
  expect(output).toContain(`path    = "${join(folder, 'mirror')}"`);
  expect(output).toContain('direct {');
});

it('refuses a named mirror that does not hold a provider recent enough', async () => {
  install('terraform', '1.9.0');
  process.env.TF_PLUGIN_MIRROR = mirror('registry.terraform.io/hashicorp/aws/5.99.0');
  await expect(init()).rejects.toThrow('holds no hashicorp/aws 5.100 or later');
});

it('finds a mirror in a standard folder, in the packed layout too', async () => {
  install('terraform', '1.9.0');
  const plugins = join(folder, '.terraform.d/plugins');
  const archives = join(plugins, 'registry.terraform.io/hashicorp/aws');
  mkdirSync(archives, { recursive: true });
  writeFileSync(join(archives, 'terraform-provider-aws_5.100.0_linux_amd64.zip'), '');
  expect(await init()).toContain(`path    = "${plugins}"`);
});

it('leaves a user’s own CLI configuration alone, unless it is not there', async () => {
  install('terraform', '1.9.0');
  process.env.TF_CLI_CONFIG_FILE = join(folder, 'own.tfrc');
  expect(await init()).not.toContain('own.tfrc');
  jest.resetModules();
  writeFileSync(join(folder, 'own.tfrc'), 'disable_checkpoint = true\n');
  expect(await init()).toContain('own.tfrc\ndisable_checkpoint = true');
});
