// Bytes of heap at tenths of so many runs, over a client that answers at once. Needs --expose-gc.
import { join } from 'node:path';

const [runs, cache] = process.argv.slice(2);
const { createRunOnce } = await import(join(import.meta.dirname, '../../dist/nodejs/index.mjs'));
const done = async () => ({});
const client = { updateItem: done, deleteItem: done, getItem: done, transactWriteItems: done };
const runOnce = createRunOnce({ tableName: 'records', client, ...(cache === 'on' && { cache: true }) });
const heap = [];
for (let n = 1; n <= Number(runs); n++) {
  await runOnce(`memory-${n}`, 30, () => ({ id: n }));
  if (n % (Number(runs) / 10) === 0) {
    globalThis.gc();
    heap.push(process.memoryUsage().heapUsed);
  }
}
console.log(JSON.stringify(heap));
