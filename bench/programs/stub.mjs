/**
 * A DynamoDB of its own process for one table, as fast as HTTP lets it be: of expressions it knows just those that the
 * layer and its peers send. `GET /counts` answers what was asked of it since it was last read.
 *
 * @example
 * DELAY=5 node bench/programs/stub.mjs // prints its port; answers after 5 ms
 */
import { createServer } from 'node:http';

const delay = Number(process.env.DELAY ?? 0);
const table = new Map();
let counts = { calls: {}, writeUnits: 0, readUnits: 0 };

const OPERATIONS = {
  GetItem({ Key }) {
    const Item = table.get(Key.pk.S);
    counts.readUnits += Math.max(1, Math.ceil(sizeOf(Item) / 4096));
    return Item ? { Item } : {};
  },
  PutItem: (input) => write(input, input.Item.pk.S, () => input.Item),
  UpdateItem: (input) => write(input, input.Key.pk.S, (item) => updated(input, item)),
  DeleteItem: (input) => write(input, input.Key.pk.S, () => undefined),
};

function write(input, pk, change) {
  const old = table.get(pk);
  if (!holds(input, old)) {
    charge(old);
    const Item = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: old };
    return { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', ...Item };
  }
  const item = change(old ?? { pk: { S: pk } });
  charge(old, item);
  if (item) table.set(pk, item);
  else table.delete(pk);
  return input.ReturnValues === 'ALL_OLD' && old ? { Attributes: old } : {};
}

/** No lock ends here: what is in the way of a claim stays so; of the owner's writes, the owner is looked at. */
function holds({ ConditionExpression = '', ExpressionAttributeValues }, old) {
  if (ConditionExpression === '' || old === undefined) return true;
  if (!ConditionExpression.includes(':owner')) return false;
  return old.owner?.S === ExpressionAttributeValues[':owner'].S && old.status.S === 'IN_PROGRESS';
}

function updated(
  { UpdateExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values },
  item,
) {
  const changed = { ...item };
  for (const [, name, value] of UpdateExpression.matchAll(
    /([#\w]+) = (?:if_not_exists\([^)]*\) \+ )?(:\w+)/g,
  )) {
    changed[names?.[name] ?? name] = values[value];
  }
  return changed;
}

/** Of what was there and what is now, the larger: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
function charge(...items) {
  counts.writeUnits += Math.max(1, ...items.map((item) => Math.ceil(sizeOf(item) / 1024)));
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(item = {}) {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOfValue(value),
    0,
  );
}

function sizeOfValue({ S, N, B, BOOL, NULL, L, M }) {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/\D/g, '').length / 2) + 1;
  if (B !== undefined) return Buffer.from(B, 'base64').byteLength;
  if (BOOL !== undefined || NULL !== undefined) return 1;
  if (L) return 3 + L.reduce((sum, value) => sum + 1 + sizeOfValue(value), 0);
  return 3 + Object.keys(M).length + sizeOf(M);
}

function answer(request, body) {
  if (request.method === 'GET') {
    const read = counts;
    counts = { calls: {}, writeUnits: 0, readUnits: 0 };
    return read;
  }
  const operation = request.headers['x-amz-target'].split('.')[1];
  counts.calls[operation] = (counts.calls[operation] ?? 0) + 1;
  return OPERATIONS[operation](JSON.parse(body));
}

/** A timer alone is up to two milliseconds late. */
function at(time, send) {
  if (performance.now() >= time) return send();
  if (time - performance.now() > 2) setTimeout(at, time - performance.now() - 2, time, send);
  else setImmediate(at, time, send);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answered = answer(request, Buffer.concat(chunks));
    const send = () => {
      response.writeHead(answered.__type ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answered));
    };
    if (delay > 0 && request.method === 'POST') at(performance.now() + delay, send);
    else send();
  });
});
// A measured process may pause for longer than the default of five seconds.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit());
