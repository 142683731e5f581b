// Calls to the table and write units, by what a call of runOnce meets; as JSON of name to counts.
import { load } from '../subjects.mjs';

const [subject, bytes] = process.argv.slice(2);
const runOnce = await load(subject);
const counted = async (call) => {
  await fetch(`${process.env.AWS_ENDPOINT_URL}/counts`);
  await call().catch(() => {});
  return (await fetch(`${process.env.AWS_ENDPOINT_URL}/counts`)).json();
};
const result = document(Number(bytes));
const key = (name) => `${subject}-${name}-${bytes}`;
const failure = Object.assign(new Error('the work failed'), { name: 'WorkFailed' });

const first = await counted(() => runOnce(key('k'), () => result));
const duplicate = await counted(() => runOnce(key('k'), () => result));
const failed = await counted(() => runOnce(key('failed'), () => Promise.reject(failure)));
let end;
let began;
const started = new Promise((resolve) => {
  began = resolve;
});
const running = runOnce(key('busy'), () => {
  began();
  return new Promise((resolve) => {
    end = resolve;
  });
});
await started;
const inFlight = await counted(() => runOnce(key('busy'), () => result));
end(0);
await running;
console.log(JSON.stringify({ first, duplicate, failed, inFlight }));

/** So many bytes of JSON, as a list of orders. */
function document(size) {
  const order = (n) => ({
    id: `order-${1000 + n}`,
    total: 19.9 + n,
    currency: 'EUR',
    state: n % 3 ? 'paid' : 'sent',
  });
  const orders = [];
  while (JSON.stringify(orders).length < size) orders.push(order(orders.length));
  return orders;
}
