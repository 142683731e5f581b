/**
 * `npm run chaos -- --seed S --schedules N --json`: interleaves callers and faults on a virtual clock, and says which
 * invariants were violated, with the smallest schedule that does it. `--replay FILE` plays such a schedule again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runOnceWith } from '../layer/run-once';
import { createStore } from '../layer/store';
import { hunt } from '../test/chaos/hunt';
import { layerSubject } from '../test/chaos/layer-subject';
import { play } from '../test/chaos/world';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    schedules: { type: 'string', default: '20000' },
    replay: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

// A result that cannot be stored, and a release that fails, are among the faults: what warns of them is not news here.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'IdempotencyWarning') console.warn(warning);
});

const layer = layerSubject('layer', { runOnceWith, createStore });

if (values.replay !== undefined) {
  const violations = await play(JSON.parse(readFileSync(values.replay, 'utf8')), layer);
  console.log(violations.length === 0 ? 'no violation' : violations.join('\n'));
  process.exitCode = violations.length === 0 ? 0 : 1;
} else {
  const seed = Number(values.seed);
  const schedules = Number(values.schedules);
  if (!Number.isInteger(seed) || !Number.isInteger(schedules) || schedules < 1) {
    throw new Error('--seed and --schedules take whole numbers, for instance --seed 1 --schedules 20000');
  }
  const begun = Date.now();
  const found = await hunt(layer, seed, schedules);
  const { faults, violations, schedule } = found;
  if (values.json) {
    console.log(
      JSON.stringify({
        seed,
        schedules,
        faults,
        violations: violations.length,
        ...(schedule && { violated: violations, schedule }),
      }),
    );
  } else {
    console.table(faults);
    console.log(`${schedules} schedules in ${Math.round((Date.now() - begun) / 1000)} s, seed ${seed}`);
    console.log(
      violations.length === 0
        ? 'no violation'
        : `${violations.join('\n')}\n${JSON.stringify(schedule, null, 2)}`,
    );
  }
  process.exitCode = violations.length === 0 ? 0 : 1;
}
