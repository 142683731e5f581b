/**
 * The three DynamoDB operations that the protocol is made of, with plain values in place of attribute values, so that
 * the protocol is the same over every client: the bundled one, the caller's, an `aws-sdk` v2 DocumentClient.
 */
export interface Table {
  /** Conditional; answers with the item that stood there before. */
  update(input: UpdateInput): Promise<Written>;
  /** Conditional. */
  delete(input: DeleteInput): Promise<Written>;
  /** Strongly consistent. */
  get(input: ItemInput): Promise<Item | undefined>;
}

/** What a condition said of a write; where it did not hold, with the item that stood in its way, if the client tells. */
export type Written =
  | { written: true; old?: Item | undefined }
  | { written: false; found?: Item | undefined };

export type Item = Record<string, unknown>;

/** A value that the protocol writes; more kinds than these are only ever read. */
export type Value = string | number | Uint8Array;

export interface ItemInput {
  TableName: string;
  Key: { pk: string };
}

export interface DeleteInput extends ItemInput {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, Value>;
}

export interface UpdateInput extends DeleteInput {
  UpdateExpression: string;
}
