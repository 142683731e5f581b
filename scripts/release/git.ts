import { execa } from 'execa';

/** Git in one folder: resolves to what a command prints. */
export type Git = (...args: string[]) => Promise<string>;

export const gitIn =
  (cwd: string): Git =>
  async (...args) =>
    (await execa('git', args, { cwd, stdin: 'ignore' })).stdout;

/** The version of the latest release, of which there is a tag `vX.Y.Z`; `undefined` before the first. */
export async function lastRelease(git: Git): Promise<string | undefined> {
  const tags = (await git('tag', '--list', 'v*', '--sort=-version:refname')).split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag))?.slice(1);
}
