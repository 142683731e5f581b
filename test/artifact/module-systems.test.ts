import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'dist/nodejs');
const runtimes = ['node-22', 'node-24'].map((name) => join(root, 'node_modules', name, 'bin/node'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'consumer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(node: string, name: string, source: string, ...flags: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return execFileSync(node, [...flags, path], { encoding: 'utf8', env: { PATH: process.env.PATH } });
}

describe.each(runtimes)('R17: on %s', (node) => {
  it('is one instance for both module systems, with require(esm) off as in Lambda', () => {
    const source = `
      import { createRequire } from 'node:module';
      import * as asModule from '${built}/index.mjs';
      const asCommonJs = createRequire(import.meta.url)('${built}');
      console.log(JSON.stringify({
        same: Object.keys(asCommonJs).filter((name) => asModule[name] === asCommonJs[name]),
        modules: Object.keys(asModule),
      }));`;
    const { same, modules } = JSON.parse(run(node, 'both.mjs', source, '--no-experimental-require-module'));
    expect(same.sort()).toEqual(modules.sort());
    expect(modules).toEqual([
      'CommitRefusedError',
      'ConfigurationError',
      'IdempotencyError',
      'InvalidKeyError',
      'KeyReusedError',
      'LockLostError',
      'OrphanedError',
      'ResultUnavailableError',
      'StillInProgressError',
      'StoreError',
      'createRunOnce',
      'eventHandler',
      'hashOf',
      'httpHandler',
      'keyFor',
      'keyOf',
      'lockSecondsFor',
      'powertoolsObserver',
      'runOnce',
      'runOnceMiddleware',
      'sqsHandler',
      'streamHandler',
    ]);
  });

  it('loads in the init phase what the first call needs, and only that', () => {
    const loads = (table: string) => {
      const source = `
        process.env.IDEMPOTENCY_TABLE = '${table}';
        await import('${built}/index.mjs');
        const loaded = (name) => process.moduleLoadList.includes('NativeModule ' + name);
        console.log(JSON.stringify(['https', 'zlib', 'fs/promises'].filter(loaded)));`;
      return JSON.parse(run(node, 'init.mjs', source));
    };
    expect(loads('records')).toEqual(['https']);
    expect(loads('')).toEqual([]);
  });

  it('recognises the errors of another copy of itself, and names them in logs', () => {
    const source = `
      const { LockLostError, StoreError } = require('${built}');
      for (const path of Object.keys(require.cache)) if (path.startsWith('${built}')) delete require.cache[path];
      const copy = require('${built}');
      const error = new copy.LockLostError('lost');
      console.log(error instanceof LockLostError, error instanceof StoreError, copy.LockLostError === LockLostError, String(error));
      console.log(require('node:util').inspect(error).split('\\n')[0]);`;
    expect(run(node, 'copies.cjs', source)).toBe(
      'true false false LockLostError: lost\nLockLostError: lost\n',
    );
  });

  it('loads without an environment, and says at the first call what is missing', () => {
    const source = `
      const { runOnce } = require('${built}');
      runOnce('k', 1, () => 1).catch((error) => console.log(error.name));`;
    expect(run(node, 'bare.cjs', source)).toBe('ConfigurationError\n');
  });
});

describe('the declarations', () => {
  const handler = (specifier: string, body: string) => `import { runOnce } from '${specifier}';\n${body}`;
  const article = `
interface Order { id: string }
declare function send(order: Order): Promise<{ messageId: string }>;
export const handler = async (
  event: { Records: { body: string }[] },
  context: { getRemainingTimeInMillis(): number },
) => {
  for (const record of event.Records) {
    const order: Order = JSON.parse(record.body);
    const id = order.id;
    const sent = await runOnce('order-confirmation#' + id, Math.ceil(context.getRemainingTimeInMillis() / 1000), () => send(order));
    console.log(sent.messageId);
  }
};`;

  it.each(['handler.mts', 'handler.cts'])('compile with an ordinary article’s handler in %s', (name) => {
    writeFileSync(join(folder, name), handler(name.endsWith('.mts') ? `${built}/index.mjs` : built, article));
    expect(compile(name)).toBe('');
  });

  it('refuse a lock that is no number', () => {
    writeFileSync(
      join(folder, 'wrong.mts'),
      handler(`${built}/index.mjs`, "await runOnce('k', '30', () => 1);"),
    );
    expect(compile('wrong.mts')).toMatch(/TS2345/);
  });

  /** Strictly, and with the library's own declarations checked: `skipLibCheck` would hide what they lack. */
  function compile(name: string): string {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const types = join(root, 'node_modules/@types');
    const flags = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--noEmit',
      '--skipLibCheck',
      'false',
    ];
    try {
      return execFileSync(process.execPath, [tsc, ...flags, '--typeRoots', types, '--types', 'node', name], {
        cwd: folder,
        encoding: 'utf8',
      });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }
});
