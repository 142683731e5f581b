import { join } from 'node:path';
import { execa } from 'execa';
import { root } from './code-blocks';

it('every export of the layer and of the test kit is documented, and every link in it leads somewhere', async () => {
  // As typedoc.json has it, a name without documentation is an error.
  const { all, exitCode } = await execa(
    process.execPath,
    [join(root, 'node_modules/typedoc/bin/typedoc'), '--emit', 'none'],
    { cwd: root, all: true, reject: false },
  );
  expect(all).not.toContain('does not have any documentation');
  expect(exitCode).toBe(0);
}, 120_000);
