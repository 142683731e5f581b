import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const root = join(import.meta.dirname, '../..');

/** The types of `run-once/testing`: one file, since they stand on those of `run-once` alone. */
export async function testingDeclarations(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    // Checked they are by `npm run typecheck` and, but for the kit itself, by the build.
    const args = ['-p', 'testing', '--noCheck', '--outDir', outDir];
    await execa(process.execPath, [tsc, ...args], { cwd: root, stdout: 2 });
    return readFileSync(join(outDir, 'testing/index.d.ts'), 'utf8');
  } finally {
    rmSync(outDir, { recursive: true });
  }
}
