import { ConfigurationError } from './errors';
import type { Item } from './table';

/** DynamoDB's typed JSON. */
export interface AttributeValue {
  S?: string;
  N?: string;
  B?: Uint8Array;
  BOOL?: boolean;
  NULL?: boolean;
  L?: AttributeValue[];
  M?: Record<string, AttributeValue>;
  SS?: string[];
  NS?: string[];
  BS?: Uint8Array[];
}

/**
 * As the SDK's document clients convert: a Set becomes a set of its members' type, members that are `undefined` are
 * left out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 *
 * @throws ConfigurationError for what DynamoDB has no type for.
 */
export function toAttributeValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) {
    return { N: String(value) };
  }
  if (value instanceof Uint8Array) return { B: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(toAttributeValue) };
  if (value instanceof Set && value.size > 0) return setOf([...value].map(toAttributeValue));
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return { M: toAttributes(value as Item) };
  }
  throw new ConfigurationError(
    `A value of type ${value instanceof Object ? value.constructor.name : typeof value} given to commit has no DynamoDB type. Convert it to a string, number, boolean, bytes, list, map or a set that is not empty; nothing was written.`,
  );
}

function setOf(members: AttributeValue[]): AttributeValue {
  for (const type of ['S', 'N', 'B'] as const) {
    if (members.every((member) => member[type] !== undefined)) {
      return { [`${type}S`]: members.map((member) => member[type]) };
    }
  }
  throw new ConfigurationError(
    'A Set given to commit must have members of one type: strings, numbers or bytes. Use a list for mixed ones; nothing was written.',
  );
}

/** Every type, since the result of a classic record is whatever its DocumentClient wrote. */
export function fromAttributeValue(attribute: AttributeValue): unknown {
  const { S, N, B, BOOL, L, M, SS, NS, BS } = attribute;
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (B !== undefined) return bytesOf(B);
  if (BOOL !== undefined) return BOOL;
  if (L) return L.map(fromAttributeValue);
  if (M) return toItem(M);
  if (SS) return new Set(SS);
  if (NS) return new Set(NS.map(Number));
  if (BS) return new Set(BS.map(bytesOf));
  return null;
}

/** As text where the item is as it was sent: by the bundled client, and in an error of SDK v2. */
function bytesOf(bytes: Uint8Array | string): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : bytes;
}

export function toItem(attributes: Record<string, AttributeValue>): Item {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, fromAttributeValue(value)]),
  );
}

export function toAttributes(item: Item): Record<string, AttributeValue> {
  const present = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, toAttributeValue(value)]));
}
