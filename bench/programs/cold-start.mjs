// Milliseconds from before the import until the work of the first call begins.
import { load } from '../subjects.mjs';

const [subject, modules] = process.argv.slice(2);
const start = performance.now();
const runOnce = await load(subject, modules);
let claimed;
await runOnce(`cold-${process.pid}-${start}`, () => {
  claimed = performance.now() - start;
  return { id: '1042' };
});
console.log(claimed);
