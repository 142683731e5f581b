import { toTransactItem } from './client-table';
import { ConfigurationError } from './errors';
import type { TransactItem } from './table';

// One item of the 100, and 400 KB of the 4 MB, are the record itself.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const MAX_ITEMS = 99;
const MAX_BYTES = (4096 - 400) * 1024;

const OPERATIONS = ['Put', 'Update', 'Delete', 'ConditionCheck'];

/**
 * Checks what DynamoDB would refuse, while the caller's stack still says where it comes from.
 *
 * @throws ConfigurationError for an item that is no transaction write, a value without a DynamoDB type, two writes to
 *   one item, more than 99 items or 3.6 MB.
 */
export function checkItems(items: TransactItem[]): void {
  if (items.length > MAX_ITEMS) {
    throw wrong(
      `${items.length} items`,
      `a transaction takes ${MAX_ITEMS} beside the record`,
      'Commit fewer',
    );
  }
  const targets = new Set<string>();
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const [operation, ...others] = Object.keys(item ?? {});
    const write = Object.values(item ?? {})[0];
    if (others.length > 0 || !OPERATIONS.includes(operation as string) || !(write instanceof Object)) {
      throw wrong(`item ${index}`, `it must be one of { ${OPERATIONS.join(' | ')}: … }`, 'Correct it');
    }
    const typed = toTransactItem(item);
    bytes += sizeOf(typed);
    const [{ TableName, Key }] = Object.values(typed) as [{ TableName?: string; Key?: object }];
    if (!TableName) throw wrong(`item ${index}`, 'it has no TableName', 'Name the table');
    if (Key === undefined) continue;
    const target = JSON.stringify([TableName, Object.entries(Key).sort()]);
    if (targets.has(target))
      throw wrong(`item ${index}`, 'another one writes to the same item', 'Join the two');
    targets.add(target);
  }
  if (bytes > MAX_BYTES) throw wrong(`${bytes} bytes`, `a transaction takes ${MAX_BYTES}`, 'Commit less');
}

/** About what DynamoDB counts: names and values, bytes as they are. */
function sizeOf(item: object): number {
  let bytes = 0;
  const text = JSON.stringify(item, function (this: Record<string, unknown>, name, value) {
    const raw = this[name];
    if (!(raw instanceof Uint8Array)) return value;
    bytes += raw.byteLength;
    return '';
  });
  return bytes + Buffer.byteLength(text);
}

function wrong(value: string, rule: string, fix: string): ConfigurationError {
  return new ConfigurationError(`commit was given ${value}, but ${rule}. ${fix}; nothing was written.`);
}
