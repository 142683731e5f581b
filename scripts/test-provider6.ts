/**
 * `npm run test:provider6`: all that tests the Terraform module, with version 6 of the AWS provider. It is taken from a
 * mirror of the machine's, or built from source, which takes more than half an hour and 10 GB once.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { missingGo } from './go-tools';
import { findMirror, holdsProvider, linkMirror, mirrorProgram, type Version } from './provider-mirror';
import { moduleSuites } from './test/module';
import { report } from './test/report';
import { userCache } from './user-cache';

const REGISTRY = 'registry.terraform.io';
const VERSION = '6.48.0';
// The commit of that release: its tags are not those of Go modules from version 2 on.
const MODULE = 'github.com/hashicorp/terraform-provider-aws';
const MODULE_VERSION = 'v1.60.1-0.20260602190131-5f2286d6d836';

const isVersion6 = ([major]: Version) => major === 6;

function installed(): string | undefined {
  const { TF_PLUGIN_MIRROR: named } = process.env;
  if (named !== undefined && holdsProvider(join(named, REGISTRY), isVersion6)) return named;
  return findMirror(REGISTRY, isVersion6);
}

/** The path of the program. */
async function built(): Promise<string> {
  const folder = userCache('build');
  const path = join(folder, 'terraform-provider-aws');
  if (existsSync(path)) return path;
  const missing = await missingGo();
  if (missing !== undefined) throw new Error(missing);
  console.log(
    `Building hashicorp/aws ${VERSION}, since no mirror holds version 6. This takes more than half an hour and 10 GB, once. To be spared it, name a mirror by TF_PLUGIN_MIRROR.`,
  );
  await execa('go', ['install', `${MODULE}@${MODULE_VERSION}`], {
    env: { GOBIN: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return path;
}

/** What Go builds for, as Terraform writes it: `linux_amd64`. */
async function platform(): Promise<string> {
  const { stdout } = await execa('go', ['env', 'GOOS', 'GOARCH']);
  return stdout.trim().split(/\s+/).join('_');
}

const mirror = userCache('mirror-provider6');
const found = installed();
if (found !== undefined) linkMirror(mirror, REGISTRY, join(found, REGISTRY), isVersion6);
else mirrorProgram(mirror, REGISTRY, await built(), VERSION, await platform());
process.env.TF_PLUGIN_MIRROR = mirror;
await report(moduleSuites);
