import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { gitIn, lastRelease } from './git';

const CLIFF = join(import.meta.dirname, '../../node_modules/.bin/git-cliff');

// What its users get. That a test or a guide has changed is not for them.
const RELEASED = ['*.tf', 'cli/**', 'layer/**', 'testing/**'];
const NOT_RELEASED = ['examples/**', 'test/**'];

/**
 * Makes of `## Unreleased` in a clone's CHANGELOG.md the section of a version: what was written there by hand, and then
 * what has been committed since the last release. The first one has nothing to differ from, so there it is the former.
 *
 * @returns That section.
 */
export async function writeChangelog(clone: string, version: string): Promise<string> {
  const file = join(clone, 'CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  const heading = '## Unreleased\n';
  const [before, after] = text.split(heading);
  if (before === undefined || after === undefined) {
    throw new Error(`CHANGELOG.md has no line "${heading.trim()}". Put it back above the last version.`);
  }
  const end = after.search(/^## /m);
  const byHand = (end < 0 ? after : after.slice(0, end)).trim();
  const older = end < 0 ? '' : after.slice(end);
  const day = new Date().toISOString().slice(0, 10);
  const section = inParagraphs(`## ${version} (${day})`, byHand, await committed(clone));
  writeFileSync(file, `${before}${heading}\n${inParagraphs(section, older.trim())}\n`);
  return section;
}

const inParagraphs = (...parts: string[]) => parts.filter((part) => part !== '').join('\n\n');

async function committed(clone: string): Promise<string> {
  const git = gitIn(clone);
  const last = await lastRelease(git);
  if (last === undefined) return '';
  // A tag is of a commit beside main.
  const base = await git('merge-base', `v${last}`, 'HEAD');
  const paths = [
    ...RELEASED.flatMap((path) => ['--include-path', path]),
    ...NOT_RELEASED.flatMap((path) => ['--exclude-path', path]),
  ];
  const config = join(import.meta.dirname, 'cliff.toml');
  const { stdout } = await execa(CLIFF, ['--config', config, ...paths, `${base}..HEAD`], { cwd: clone });
  return stdout.trim();
}
