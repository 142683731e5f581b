// Milliseconds until each of so many callers of one key has its answer, whose work takes so long.
import { join } from 'node:path';

const [callers, milliseconds] = process.argv.slice(2);
const { createRunOnce } = await import(join(import.meta.dirname, '../../dist/nodejs/index.mjs'));
const runOnce = createRunOnce({ tableName: 'records' });
await runOnce(`warm-${process.pid}`, 30, () => 0);
await fetch(`${process.env.AWS_ENDPOINT_URL}/counts`);
const start = performance.now();
const answers = await Promise.all(
  Array.from({ length: Number(callers) }, async () => {
    await runOnce(`contended-${process.pid}`, { lockSeconds: 30, whenInProgress: 'wait' }, async () => {
      await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    });
    return performance.now() - start;
  }),
);
const { calls } = await (await fetch(`${process.env.AWS_ENDPOINT_URL}/counts`)).json();
const sent = Object.values(calls).reduce((sum, count) => sum + count, 0);
console.log(
  JSON.stringify({ p99: answers.sort((a, b) => a - b)[Math.ceil(answers.length * 0.99) - 1], calls: sent }),
);
