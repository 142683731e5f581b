import { type Git, lastRelease } from './git';

/** @throws where this checkout is nothing to make that release of, with what to do about it. */
export async function checkReady(git: Git, version: string, pushes: boolean): Promise<void> {
  const branch = await git('branch', '--show-current');
  if (branch !== 'main') {
    throw new Error(`Releases are made of main, but this is ${branch || 'no branch'}. Run git switch main.`);
  }
  const changes = await git('status', '--porcelain');
  if (changes !== '') {
    throw new Error(`The release would lack what is not committed. Commit or discard it:\n${changes}`);
  }
  const last = await lastRelease(git);
  if (last !== undefined && !isLater(version, last)) {
    throw new Error(`The last release is ${last}, and ${version} is not later. Choose another version.`);
  }
  if (!pushes) return;
  const head = await git('rev-parse', 'HEAD');
  const remote = (await git('ls-remote', 'origin', 'refs/heads/main')).split('\t')[0];
  if (remote !== head) {
    throw new Error(
      'main is not what origin has. Pull or push first, so that what is released has been tested.',
    );
  }
  if ((await git('ls-remote', 'origin', `refs/tags/v${version}`)) !== '') {
    throw new Error(`origin has a tag v${version} already. Run git fetch --tags and choose another version.`);
  }
}

function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs >= 0 && (a[differs] as number) > (b[differs] as number);
}
