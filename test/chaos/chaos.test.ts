import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { FAULTS } from './schedule';

const root = join(import.meta.dirname, '../..');

/** In a process of its own, as a user runs it: no test framework between the layer and the virtual clock. */
function run(script: string, ...args: string[]) {
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', join('scripts', script), '--json', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(output.trim().split('\n').at(-1) as string);
}

it('20,000 schedules of callers and faults violate no invariant', () => {
  const { violations, faults, schedules } = run('chaos.ts', '--seed', '20270115', '--schedules', '20000');
  expect({ violations, schedules }).toEqual({ violations: 0, schedules: 20_000 });
  for (const fault of [...FAULTS.filter((name) => name !== 'none'), 'crash', 'clock skew', 'swept by TTL']) {
    expect([fault, faults[fault] > 1000]).toEqual([fault, true]);
  }
}, 300_000);

describe('the harness finds', () => {
  const { guards, peers } = run('correctness.ts', '--schedules', '3000');

  it.each<{ keeps: string; invariant: string; violations: string[] }>(guards)(
    'what goes wrong without the guard of invariant $invariant: $keeps',
    ({ violations }) => {
      expect(violations).not.toEqual([]);
    },
  );

  it('nothing in this layer that a caller could see', () => {
    expect(peers.ours).toEqual({});
  });

  it.each(['classic', 'powertools'])('what %s violates', (peer) => {
    const violated = Object.keys(peers[peer]).map((violation) => violation[0]);
    expect(violated).toEqual(expect.arrayContaining(['3', '4', '5']));
  });
});
