// Milliseconds of a first run, and of so many records at once.
import { load } from '../subjects.mjs';

const [subject, records] = process.argv.slice(2);
const runOnce = await load(subject);
const batch = (name) =>
  Promise.all(
    Array.from({ length: Number(records) }, (_, n) =>
      runOnce(`${name}-${process.pid}-${n}`, () => ({ id: n })),
    ),
  );
// Connections are there in a warm function.
for (let n = 0; n < 20; n++) await batch(`warm-${n}`);
const start = performance.now();
await batch('measured');
console.log(performance.now() - start);
