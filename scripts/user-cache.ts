import { join } from 'node:path';

/** A path outside the repository, for what takes long to build and serves every clone. */
export function userCache(...path: string[]): string {
  const { XDG_CACHE_HOME, HOME = '/' } = process.env;
  return join(XDG_CACHE_HOME || join(HOME, '.cache'), 'terraform-aws-idempotency', ...path);
}
