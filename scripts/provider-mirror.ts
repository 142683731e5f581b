/**
 * Where the machine has the AWS provider: a filesystem mirror, in either of its layouts, unpacked folders or packed
 * archives; the version is in the entry's name in both.
 * https://developer.hashicorp.com/terraform/cli/config/config-file#filesystem_mirror
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export type Version = [major: number, minor: number];
export type Wanted = (version: Version) => boolean;

/**
 * The folder that holds `<registry>/hashicorp/aws`: a standard plugin folder, else any near the file system's root.
 * https://developer.hashicorp.com/terraform/cli/config/config-file#implied-local-mirror-directories
 */
export function findMirror(registry: string, wanted: Wanted): string | undefined {
  const { XDG_DATA_HOME = join(home(), '.local/share'), XDG_DATA_DIRS = '/usr/local/share:/usr/share' } =
    process.env;
  const standard = [
    join(home(), '.terraform.d/plugins'),
    ...[XDG_DATA_HOME, ...XDG_DATA_DIRS.split(':')].map((folder) => join(folder, 'terraform/plugins')),
  ];
  const holds = (folder: string) => holdsProvider(join(folder, registry), wanted);
  return standard.find(holds) ?? search('/', holds, SEARCH_LEVELS_BELOW_ROOT);
}

/** Whether `<mirror>/<registry>` holds a version that is wanted. */
export const holdsProvider = (registryFolder: string, wanted: Wanted): boolean =>
  entries(registryFolder, wanted).length > 0;

/**
 * Makes `mirror` hold those versions of another mirror that are wanted, and nothing else, as if `registry` had served
 * them: Terraform's registry and OpenTofu's serve the same provider.
 */
export function linkMirror(mirror: string, registry: string, from: string, wanted: Wanted): void {
  const folder = emptyMirror(mirror, registry);
  for (const name of entries(from, wanted)) {
    const path = join(from, 'hashicorp/aws', name);
    if (statSync(path).isDirectory()) linkPlatforms(path, join(folder, name));
    else symlinkSync(path, join(folder, name));
  }
}

/** Links may stand for what is in a version's folder, but Terraform does not go into a version that is a link itself. */
function linkPlatforms(from: string, to: string): void {
  mkdirSync(to);
  for (const platform of readdirSync(from)) symlinkSync(join(from, platform), join(to, platform));
}

/** Makes `mirror` hold nothing but one program, which was built on this machine, as that version of the provider. */
export function mirrorProgram(
  mirror: string,
  registry: string,
  program: string,
  version: string,
  platform: string,
): void {
  const folder = join(emptyMirror(mirror, registry), version, platform);
  mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(folder, `terraform-provider-aws_v${version}`));
}

function emptyMirror(mirror: string, registry: string): string {
  rmSync(mirror, { recursive: true, force: true });
  const folder = join(mirror, registry, 'hashicorp/aws');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function entries(registryFolder: string, wanted: Wanted): string[] {
  const folder = join(registryFolder, 'hashicorp/aws');
  return existsSync(folder) ? readdirSync(folder).filter((name) => wanted(parseVersion(name))) : [];
}

// As Terraform itself finds it.
export const home = () => process.env.HOME ?? '/';

const SEARCH_LEVELS_BELOW_ROOT = 3;
// No packages are there, but many entries, slow mounts, or files that macOS asks the user about.
const NOT_SEARCHED = [
  '/proc',
  '/sys',
  '/dev',
  '/home',
  '/Users',
  '/Volumes',
  '/media',
  '/mnt',
  '/net',
  '/run',
];

function search(folder: string, holds: (folder: string) => boolean, levels: number): string | undefined {
  if (holds(folder)) return folder;
  if (levels === 0) return undefined;
  for (const name of subfolders(folder)) {
    const path = join(folder, name);
    const found = NOT_SEARCHED.includes(path) ? undefined : search(path, holds, levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    // Not readable by this user, or gone in the meantime: no mirror for us in either case.
    return [];
  }
}

export function parseVersion(text: string): Version {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(text) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}

export const isAtLeast = ([major, minor]: Version, least: Version): boolean =>
  major > least[0] || (major === least[0] && minor >= least[1]);
