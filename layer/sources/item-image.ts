/** An item's attributes as a DynamoDB stream brings them to Lambda: with their types, and bytes as base64. */
export type ItemImage = Record<string, object>;

interface Attribute {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  L?: Attribute[];
  M?: Record<string, Attribute>;
  SS?: string[];
  NS?: string[];
  BS?: string[];
}

/**
 * The same in plain values. A whole number that JavaScript's numbers cannot tell from its neighbours is a bigint, so that
 * no two identifiers become one.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_AttributeValue.html
 */
export function plainItem(image: ItemImage): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plain(value)]));
}

function plain({ S, N, B, BOOL, L, M, SS, NS, BS }: Attribute): unknown {
  if (N !== undefined) return numberOf(N);
  if (B !== undefined) return bytesOf(B);
  if (L) return L.map(plain);
  if (M) return plainItem(M);
  if (SS) return new Set(SS);
  if (NS) return new Set(NS.map(numberOf));
  if (BS) return new Set(BS.map(bytesOf));
  return S ?? BOOL ?? null;
}

function numberOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text)
    ? BigInt(text)
    : number;
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
