// Microseconds of CPU for a first run and for a duplicate, once the code is warm.
import { load } from '../subjects.mjs';

const [subject, runs] = process.argv.slice(2);
const runOnce = await load(subject);
const result = { id: '1042', sent: true, at: '2026-01-01T00:00:00.000Z' };
const name = (n) => `order-confirmation#${process.pid}-${n}`;

async function measured(from, to) {
  const start = process.cpuUsage();
  for (let n = from; n < to; n++) await runOnce(name(n), () => result);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / (to - from);
}

const count = Number(runs);
await measured(0, count);
await measured(0, count);
const first = await measured(count, 2 * count);
const duplicate = await measured(count, 2 * count);
console.log(JSON.stringify({ first, duplicate }));
