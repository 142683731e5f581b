import type { Item, Value } from './table';

/** DynamoDB's typed JSON, as far as an item can contain it. */
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

/** The three types that the protocol writes. */
export function toAttributeValue(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  return { B: value };
}

/**
 * Every type, since the result of a classic record is whatever its DocumentClient wrote.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 */
export function fromAttributeValue(attribute: AttributeValue): unknown {
  const { S, N, B, BOOL, L, M, SS, NS, BS } = attribute;
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (B !== undefined) return B;
  if (BOOL !== undefined) return BOOL;
  if (L) return L.map(fromAttributeValue);
  if (M) return toItem(M);
  if (SS) return new Set(SS);
  if (NS) return new Set(NS.map(Number));
  if (BS) return new Set(BS);
  return null;
}

export function toItem(attributes: Record<string, AttributeValue>): Item {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, fromAttributeValue(value)]),
  );
}
