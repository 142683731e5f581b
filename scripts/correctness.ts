/**
 * `npm run correctness`: takes each guard out of the layer and lets the chaos harness find the violation, then plays
 * the same harness against the classic code and Powertools, and writes `docs/correctness.md`. With `--json` it prints
 * what it found and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hunt } from '../test/chaos/hunt';
import { layerSubject } from '../test/chaos/layer-subject';
import { installedPeers, judge, ours } from '../test/chaos/peers';
import { GUARDS, withoutGuard } from '../test/chaos/removed-guards';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '20000' },
    json: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const schedules = Number(values.schedules);

// What cannot be stored or released warns; here that is thousands of times on purpose.
process.removeAllListeners('warning');

const guards: { invariant: string; keeps: string; violations: string[]; played: number }[] = [];
for (const guard of GUARDS) {
  const layer = layerSubject(guard.keeps, await withoutGuard(guard));
  const { violations, played } = await hunt(layer, seed, 20_000);
  guards.push({ invariant: guard.invariant, keeps: guard.keeps, violations, played });
  if (!values.json)
    console.log(`${violations.length > 0 ? 'found' : 'NOT FOUND'} after ${played}: ${guard.keeps}`);
}

const peers: Record<string, Record<string, number>> = {};
for (const [name, peer] of Object.entries({ ours, ...(await installedPeers()) })) {
  peers[name] = await judge(peer, seed, schedules);
  if (!values.json) console.log(name, peers[name]);
}

if (values.json) console.log(JSON.stringify({ seed, schedules, guards, peers }));
else writeFileSync(join(import.meta.dirname, '../docs/correctness.md'), page());

function page(): string {
  const versions = JSON.parse(
    readFileSync(join(import.meta.dirname, '../bench/package.json'), 'utf8'),
  ).dependencies;
  const powertools = versions['@aws-lambda-powertools/idempotency'];
  const rows = [...new Set(Object.values(peers).flatMap(Object.keys))].sort();
  const per = (name: string, row: string) => {
    const count = peers[name]?.[row] ?? 0;
    return count === 0 ? '—' : `1 in ${Math.round(schedules / count)}`;
  };
  return `# Correctness, measured

Written by \`npm run correctness\` (seed ${seed}); [guarantees.md](guarantees.md) says what is promised and what is not,
[mutation.md](mutation.md) what the tests of the core notice.

## The same faults, three libraries

${schedules.toLocaleString('en')} schedules of up to six callers of one key: requests lost before and after they had their
effect, requests that arrive late, throttling, crashes at any await, TTL deleting what has expired, work that outlives
its lock. Clocks agree, and only what every library offers is used. The judge sees works, answers and errors, not the
table. A cell says in how many of the schedules an invariant was violated.

| violated | this layer | Powertools ${powertools} | the classic code |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row} | ${per('ours', row)} | ${per('powertools', row)} | ${per('classic', row)} |`).join('\n')}

## Every guard is needed

The layer with one guard taken out of its source, in the full harness (clocks up to two seconds off, heartbeats, waits,
transactions, orphans, fingerprints): how many schedules it took to find what the guard prevents.

| invariant | what the guard keeps | found after | what went wrong |
| --- | --- | --- | --- |
${guards.map(({ invariant, keeps, played, violations }) => `| ${invariant} | ${keeps} | ${played} | ${violations.join('; ')} |`).join('\n')}
`;
}
