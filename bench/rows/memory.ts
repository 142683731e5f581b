import { exactly, type Line, measure, NODE_VERSIONS, type Row } from '../measure';

const RUNS = 1_000_000;
const GROWTH_BYTES = 512 * 1024;

/** Heap after the last run beyond that after a fifth of them, when the cache is full and the code is warm. */
export const memory: Row = async () => {
  const lines: Line[] = [];
  for (const node of NODE_VERSIONS) {
    for (const cache of ['off', 'on']) {
      const heap: number[] = JSON.parse(await measure(node, 'memory.mjs', [RUNS, cache]));
      const growth = (heap.at(-1) as number) - (heap[1] as number);
      lines.push({
        figure: `growth of the heap, 1,000,000 runs, cache ${cache}`,
        node,
        unit: 'KB',
        ours: exactly(growth / 1024),
        target: `≤ ${GROWTH_BYTES / 1024} KB`,
        result: `${(growth / 1024).toFixed(0)} KB`,
        met: growth <= GROWTH_BYTES,
      });
    }
  }
  return lines;
};
