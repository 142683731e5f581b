import { interleaved, measure, NODE_VERSIONS, type Row, ratio, type Subject, spread } from '../measure';
import { startStub } from '../stub';

const OF_POWERTOOLS = 0.6;
const OF_BARE = 1.1;
const RUNS = 500;

/** CPU of the process in which the work runs, once its code is warm. */
export const cpu: Row = async (repetitions) => {
  const stub = await startStub();
  const lines = [];
  for (const node of NODE_VERSIONS) {
    const of = (subject: Subject) => async () =>
      JSON.parse(await measure(node, 'cpu.mjs', [subject, RUNS], stub.endpoint)) as Record<string, number>;
    const { ours, powertools, bare } = await interleaved(repetitions, {
      ours: of('ours'),
      powertools: of('powertools'),
      bare: of('bare'),
    });
    for (const [figure, name] of [
      ['CPU of a first run', 'first'],
      ['CPU of a duplicate', 'duplicate'],
    ] as const) {
      const pick = (results: Record<string, number>[]) => results.map((result) => result[name] as number);
      const [toPowertools, toBare] = [ratio(pick(ours), pick(powertools)), ratio(pick(ours), pick(bare))];
      lines.push({
        figure,
        node,
        unit: 'µs',
        ours: spread(pick(ours)),
        powertools: spread(pick(powertools)),
        bare: spread(pick(bare)),
        target: `≤ ${OF_POWERTOOLS} × Powertools, ≤ ${OF_BARE} × bare`,
        result: `${toPowertools.toFixed(2)} ×, ${toBare.toFixed(2)} ×`,
        met: toPowertools <= OF_POWERTOOLS && toBare <= OF_BARE,
      });
    }
  }
  stub.stop();
  return lines;
};
