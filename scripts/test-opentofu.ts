/**
 * `npm run test:opentofu`: all that tests the Terraform module, with OpenTofu in Terraform's place. OpenTofu is built at
 * the version of tools/opentofu/go.mod, which takes minutes once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { missingGo } from './go-tools';
import { findMirror, linkMirror } from './provider-mirror';
import { isRecentEnough } from './terraform';
import { moduleSuites } from './test/module';
import { report } from './test/report';
import { userCache } from './user-cache';

const source = join(import.meta.dirname, '../tools/opentofu');

/** The path of the program. */
async function openTofu(): Promise<string> {
  const [, version] = /opentofu\/opentofu v(\S+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8')) ?? [];
  const path = userCache(`opentofu-${version}`, 'tofu');
  if (existsSync(path)) return path;
  const missing = await missingGo();
  if (missing !== undefined) throw new Error(missing);
  console.log(`Building OpenTofu ${version} …`);
  // A release, not a development version, as OpenTofu's own build has it.
  const release = ['-ldflags', '-X github.com/opentofu/opentofu/version.dev=no'];
  const args = ['build', '-buildvcs=false', '-trimpath', ...release, '-o', path];
  await execa('go', [...args, 'github.com/opentofu/opentofu/cmd/tofu'], {
    cwd: source,
    env: { CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return path;
}

/** A mirror of Terraform's registry, as one of OpenTofu's; `undefined` where OpenTofu has what it needs, or a registry. */
function openTofuMirror(): string | undefined {
  const [terraforms, openTofus] = ['registry.terraform.io', 'registry.opentofu.org'];
  if (process.env.TF_PLUGIN_MIRROR || findMirror(openTofus, isRecentEnough))
    return process.env.TF_PLUGIN_MIRROR;
  const found = findMirror(terraforms, isRecentEnough);
  if (found === undefined) return undefined;
  const mirror = userCache('mirror-opentofu');
  linkMirror(mirror, openTofus, join(found, terraforms), isRecentEnough);
  return mirror;
}

process.env.TF_BINARY = await openTofu();
const mirror = openTofuMirror();
if (mirror !== undefined) process.env.TF_PLUGIN_MIRROR = mirror;
await report(moduleSuites);
