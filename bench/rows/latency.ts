import { interleaved, type Line, measure, NODE_VERSIONS, type Row, type Subject, spread } from '../measure';
import { startStub } from '../stub';

// Of the longer one, what the process computes is a small part: what is left is how often it waits.
const DELAYS_MILLISECONDS = [5, 50];
// That of the SDK's connections, and of the layer's.
const CONCURRENCY = 50;
const TOLERANCE = 1.1;

/** How many answers of the table are waited for one after the other, where each takes its time. */
export const latency: Row = async (repetitions) => {
  const lines: Line[] = [];
  for (const delay of DELAYS_MILLISECONDS) {
    const stub = await startStub(delay);
    for (const node of NODE_VERSIONS) {
      for (const records of [1, 10, 100]) {
        const of = (subject: Subject) => async () =>
          Number(await measure(node, 'latency.mjs', [subject, records], stub.endpoint)) / delay;
        const { ours, powertools, bare } = await interleaved(repetitions, {
          ours: of('ours'),
          powertools: of('powertools'),
          bare: of('bare'),
        });
        const target = 2 * Math.ceil(records / CONCURRENCY);
        const { median } = spread(ours);
        lines.push({
          figure: `latency of ${records === 1 ? 'a first run' : `${records} records at once`}, delay of ${delay} ms`,
          node,
          unit: 'delays',
          ours: spread(ours),
          powertools: spread(powertools),
          bare: spread(bare),
          target: `≤ ${target} + 10 %`,
          result: median.toFixed(2),
          met: median <= target * TOLERANCE,
        });
      }
    }
    stub.stop();
  }
  return lines;
};
