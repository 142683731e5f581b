// Runs in a second, of so many keys, so many at a time.
import { load } from '../subjects.mjs';

const [subject, runs, concurrency] = process.argv.slice(2);
const runOnce = await load(subject);
let next = 0;
async function lane() {
  while (next < Number(runs)) await runOnce(`throughput-${process.pid}-${next++}`, () => ({ id: '1042' }));
}
const start = performance.now();
await Promise.all(Array.from({ length: Number(concurrency) }, lane));
console.log((Number(runs) / (performance.now() - start)) * 1000);
