/**
 * `npm run release -- [--dry-run] [--keep] X.Y.Z`: makes a release of main, in a temporary clone. Two commits: the one of
 * the version and the changelog becomes main's; the one after it, which only the tag `vX.Y.Z` leads to, has `dist/` as well,
 * so that `source = "git::…?ref=vX.Y.Z"` works without Node.js. With `--dry-run` nothing is pushed.
 */
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { readArguments } from './release/arguments';
import { writeChangelog } from './release/changelog';
import { gitIn } from './release/git';
import { checkReady } from './release/readiness';

const root = join(import.meta.dirname, '..');
const BUILT = ['dist/layer.zip', 'dist/nodejs'];

async function release(args: string[]): Promise<void> {
  const { version, dryRun, keep } = readArguments(args);
  const tag = `v${version}`;
  await checkReady(gitIn(root), version, !dryRun);

  const clone = join(mkdtempSync(join(tmpdir(), 'release-')), 'clone');
  const git = gitIn(clone);
  try {
    await gitIn(root)('clone', '--quiet', '--branch', 'main', root, clone);
    await npm(clone, 'version', version, '--no-git-tag-version', '--allow-same-version');
    const section = await writeChangelog(clone, version);
    await git('commit', '--quiet', '--all', '--message', `chore: release ${version}`);
    const main = await git('rev-parse', 'HEAD');

    // Those of the lock file, as scripts/setup.mjs has seen to.
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    await npm(clone, 'run', 'build');
    await git('checkout', '--quiet', '--detach');
    await git('add', '--force', ...BUILT);
    await git('commit', '--quiet', '--message', `chore: carry the built layer of ${version}`);
    await git('tag', '--annotate', '--message', `Release ${version}`, tag);

    console.log(await git('show', '--stat', '--format=%h %s', 'HEAD^', 'HEAD'));
    const refs = [`${main}:refs/heads/main`, `${await git('rev-parse', tag)}:refs/tags/${tag}`];
    if (dryRun) console.log(`\n${section}\n\nWould push: ${refs.join(' ')}`);
    else await push(clone, tag, refs);
  } finally {
    if (keep && existsSync(clone)) console.log(`\nThe clone: ${clone}`);
    else rmSync(join(clone, '..'), { recursive: true, force: true });
  }
}

/** From the checkout, whose access to origin it is: both or nothing. */
async function push(clone: string, tag: string, refs: string[]): Promise<void> {
  const git = gitIn(root);
  await git('fetch', '--quiet', '--no-tags', clone, `refs/tags/${tag}`);
  await git('push', '--atomic', 'origin', ...refs);
  console.log(`\nPushed ${tag}, and main with its changelog. Run git pull.`);
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  await execa('npm', args, { cwd, stdin: 'ignore' });
}

try {
  await release(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
