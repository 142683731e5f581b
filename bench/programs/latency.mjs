// Milliseconds of a first run, and of so many records at once.
import { load } from '../subjects.mjs';

const [subject, records] = process.argv.slice(2);
const runOnce = await load(subject);
const batch = (name, length) =>
  Promise.all(Array.from({ length }, (_, n) => runOnce(`${name}-${process.pid}-${n}`, () => ({ id: n }))));
// Connections are there in a warm function.
for (let n = 0; n < 8; n++) await batch(`warm-${n}`, 100);
const start = performance.now();
await batch('measured', Number(records));
console.log(performance.now() - start);
