import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockProviders, type TerraformOptions, terraform } from '../../scripts/terraform';

const root = join(import.meta.dirname, '../..');

/** A folder to run Terraform in, as deep as a fixture, so that a fixture's paths hold in its copy. */
export function workspace(name: string): string {
  const cache = join(root, '.cache/terraform');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `${name}-`));
  lockProviders(folder);
  return folder;
}

/** A copy of `test/fixtures/<name>`, which uses the module of this checkout. */
export function fixture(name: string): string {
  const folder = workspace(name);
  cpSync(join(root, 'test/fixtures', name), folder, { recursive: true });
  return folder;
}

/** The module as it is in a fresh clone: nothing has been built. */
export function freshClone(): string {
  const folder = workspace('module');
  copyModule(folder);
  return folder;
}

/** Copies the module to `folder` and makes the modules of a fixture's copy come from there. */
export function moveModule(fixtureFolder: string, folder: string): void {
  copyModule(join(fixtureFolder, folder));
  cpSync(join(root, 'dist/layer.zip'), join(fixtureFolder, folder, 'dist/layer.zip'));
  const main = join(fixtureFolder, 'main.tf');
  writeFileSync(main, readFileSync(main, 'utf8').replaceAll('"../../.."', JSON.stringify(`./${folder}`)));
}

function copyModule(folder: string): void {
  for (const name of moduleFileNames()) cpSync(join(root, name), join(folder, name));
}

const moduleFileNames = () => readdirSync(root).filter((file) => file.endsWith('.tf'));

/** The texts of the module's files. */
export const moduleFiles = () => moduleFileNames().map((name) => readFileSync(join(root, name), 'utf8'));

/** A provider that asks nobody who it is: enough to plan what reads nothing. */
export const offlineProvider = {
  provider: {
    aws: {
      access_key: 'test',
      region: 'eu-west-1',
      secret_key: 'test',
      skip_credentials_validation: true,
      skip_metadata_api_check: true,
      skip_requesting_account_id: true,
    },
  },
};

export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** The part of `terraform show -json` that the tests read. */
export interface Plan {
  resource_changes?: { address: string; change: { actions: string[] } }[];
  configuration: { root_module: { module_calls: Record<string, { module: ModuleConfiguration }> } };
}

interface ModuleConfiguration {
  resources: { address: string; depends_on?: string[] }[];
}

export async function plan(cwd: string, args: string[], options: TerraformOptions): Promise<Plan> {
  await terraform(cwd, ['plan', '-out=tfplan', ...args], options);
  return JSON.parse(await terraform(cwd, ['show', '-json', 'tfplan'], options));
}

/** What a plan changes, as `<action> <address>`. */
export const changesOf = ({ resource_changes = [] }: Plan): string[] =>
  resource_changes
    .filter(({ change }) => change.actions.join() !== 'no-op')
    .map(({ address, change }) => `${change.actions.join('+')} ${address}`);
