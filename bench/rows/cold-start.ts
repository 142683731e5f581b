import {
  interleaved,
  measure,
  NODE_VERSIONS,
  type Row,
  ratio,
  ratioBeyond,
  type Subject,
  spread,
} from '../measure';
import { startStub } from '../stub';

const TARGET = 0.3;

/** In a fresh process: import, client and first claim. */
export const coldStart: Row = async (repetitions) => {
  const stub = await startStub();
  const lines = [];
  for (const node of NODE_VERSIONS) {
    for (const modules of ['esm', 'cjs'] as const) {
      const of = (subject: Subject) => async () =>
        Number(await measure(node, 'cold-start.mjs', [subject, modules], stub.endpoint));
      const { ours, powertools, bare, itself } = await interleaved(repetitions, {
        ours: of('ours'),
        powertools: of('powertools'),
        bare: of('bare'),
        itself: of('node'),
      });
      const result = ratio(ours, powertools);
      lines.push({
        figure: `cold start, ${modules === 'esm' ? 'ES module' : 'CommonJS'}`,
        node,
        unit: 'ms',
        ours: spread(ours),
        powertools: spread(powertools),
        bare: spread(bare),
        target: `≤ ${TARGET} × Powertools`,
        result: `${result.toFixed(2)} × (${ratioBeyond(itself, ours, powertools)} Node.js itself)`,
        met: result <= TARGET,
      });
    }
  }
  stub.stop();
  return lines;
};
