import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { LayerCore } from './layer-subject';

/** A place in the layer that keeps an invariant, and the layer without it. */
export interface Guard {
  invariant: string;
  keeps: string;
  file: string;
  guard: string;
  without: string;
}

export const GUARDS: Guard[] = [
  {
    invariant: '1',
    keeps: 'a claim is refused while the lock lasts',
    file: 'store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    guard: '`attribute_not_exists(pk) OR ${ENDED}`',
    without: "'attribute_not_exists(pk) OR attribute_exists(pk) OR #expiresAt < :now OR #lockedUntil < :now'",
  },
  {
    invariant: '1',
    keeps: 'the work does not begin once its lock has ended on the way',
    file: 'run-once.ts',
    guard: 'if (clock.now() >= lease.endsAt * 1000) {',
    without: 'if (false as boolean) {',
  },
  {
    invariant: '1',
    keeps: 'the signal aborts before a clock that runs ahead may claim',
    file: 'run.ts',
    guard: 'const SKEW_MILLISECONDS = 3000;',
    without: 'const SKEW_MILLISECONDS = 0;',
  },
  {
    invariant: '2',
    keeps: 'only the owner completes, extends or releases',
    file: 'store.ts',
    guard: "ConditionExpression: '#owner = :owner AND #status = :inProgress'",
    without: "ConditionExpression: '(#owner = :owner OR attribute_exists(#owner)) AND #status = :inProgress'",
  },
  {
    invariant: '2',
    keeps: 'a run whose lock was taken over answers with the stored result, or says so',
    file: 'run-once.ts',
    guard: "if (completed.by === 'another') return answerOfAnother(completed.record, call);",
    without: '',
  },
  {
    invariant: '2',
    keeps: 'a commit needs the lock',
    file: 'store.ts',
    guard: 'ConditionExpression: transacted',
    without: 'ConditionExpression: false',
  },
  {
    invariant: '3',
    keeps: 'a write that met itself is recognised by its owner',
    file: 'store.ts',
    guard: "if (record?.owner === owner && record.status === 'IN_PROGRESS') {",
    without: 'if (false as boolean && record) {',
  },
  {
    invariant: '4',
    keeps: 'the first caller gets the stored likeness, as later ones do',
    file: 'run-once.ts',
    guard: 'return told(call, lease.attempt, decodeResult(result, codec)) as T;',
    without: 'return value;',
  },
  {
    invariant: '4',
    keeps: 'a key used for another request is refused',
    file: 'run-once.ts',
    guard: 'checkFingerprint(record, call);\n    cache',
    without: 'cache',
  },
  {
    invariant: '5',
    keeps: 'a result that cannot be stored completes the record all the same',
    file: 'result.ts',
    guard: "return { resultUnavailable: 'it cannot be serialised' };",
    without: "throw new Error('it cannot be serialised');",
  },
  {
    invariant: '5',
    keeps: 'a completion is recorded though TTL has deleted the ended lock',
    file: 'store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    guard: ': `attribute_not_exists(pk) OR (${owned.ConditionExpression})`',
    without: ': owned.ConditionExpression',
  },
  {
    invariant: '6',
    keeps: 'a failing release does not hide the work’s error',
    file: 'run-once.ts',
    guard: ".catch((error) =>\n      warn('IDEMPOTENCY_NOT_RELEASED', error.message),\n    )",
    without: '',
  },
  {
    invariant: '7',
    keeps: 'a lock’s end is rounded up',
    file: 'store.ts',
    guard: 'Math.ceil(now + lockSeconds)',
    without: 'Math.floor(now + lockSeconds)',
  },
  {
    invariant: '7',
    keeps: 'the moment it is compared with is rounded down',
    file: 'store.ts',
    guard: 'claimExpression(lease, Math.floor(now), orphans)',
    without: 'claimExpression(lease, Math.ceil(now), orphans)',
  },
  {
    invariant: '7',
    keeps: 'an extension that was long on its way does not shorten the lock',
    file: 'store.ts',
    guard: ' AND #expiresAt <= :expiresAt`',
    without: '`',
  },
  {
    invariant: '8',
    keeps: 'the work does not run while the table is out',
    file: 'run-once.ts',
    guard: 'store.claim(claimRequest(call, orphan), call.deadline())',
    without:
      'store.claim(claimRequest(call, orphan), call.deadline()).catch(() => ({ lease: { key: call.pk, owner: call.owner, attempt: 1, endsAt: 9e9, outlives: 0 } }) as never)',
  },
  {
    invariant: '9',
    keeps: 'a lock ends',
    file: 'store.ts',
    guard: 'Math.ceil(now + lockSeconds)',
    without: 'Math.ceil(now + lockSeconds + 86_400)',
  },
  {
    invariant: '9',
    keeps: 'nothing is extended after the work has ended',
    file: 'run.ts',
    guard: '    if (closed) return;\n    stopHeartbeat =',
    without: '    stopHeartbeat =',
  },
  {
    invariant: '9',
    keeps: 'a dead run is not taken over against the caller’s word',
    file: 'store.ts',
    guard: '(#expiresAt < :now AND #status = :completed)',
    without:
      '((#expiresAt < :now OR #lockedUntil < :now) AND (#status = :completed OR attribute_exists(#status)))',
  },
];

/** The layer's core without that guard, from its own source. */
export async function withoutGuard({ file, guard, without }: Guard): Promise<LayerCore> {
  const layer = join(import.meta.dirname, '../../layer');
  const source = readFileSync(join(layer, file), 'utf8');
  if (source.split(guard).length !== 2)
    throw new Error(`${file} does not hold this guard exactly once: ${guard}`);
  const folder = mkdtempSync(join(tmpdir(), 'removed-guard-'));
  const outfile = join(folder, 'layer.mjs');
  await build({
    stdin: {
      contents: "export { runOnceWith } from './run-once'; export { createStore } from './store';",
      resolveDir: layer,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [
      {
        name: 'removed-guard',
        setup({ onLoad }) {
          onLoad({ filter: /\/layer\/[\w-]+\.ts$/ }, ({ path }) =>
            basename(path) === file
              ? { contents: source.replace(guard, () => without), loader: 'ts' }
              : undefined,
          );
        },
      },
    ],
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
