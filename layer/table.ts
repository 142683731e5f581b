/**
 * The DynamoDB operations that the protocol is made of, with plain values in place of attribute values, so that the
 * protocol is the same over every client: the bundled one, the caller's, an `aws-sdk` v2 DocumentClient. A signal ends
 * the client's own retries, where the client has such a thing.
 */
export interface Table {
  /** Conditional; answers with the item that stood there before. */
  update(input: UpdateInput, signal?: AbortSignal): Promise<Written>;
  /** Conditional. */
  delete(input: DeleteInput, signal?: AbortSignal): Promise<Written>;
  /** Strongly consistent. */
  get(input: ItemInput, signal?: AbortSignal): Promise<Item | undefined>;
  /** All or nothing; sent again with the same token, it has its effect once. */
  transact(items: TransactItem[], token: string, signal?: AbortSignal): Promise<Transacted>;
}

/** What a condition said of a write; where it did not hold, with the item that stood in its way, if the client tells. */
export type Written =
  | { written: true; old?: Item | undefined }
  | { written: false; found?: Item | undefined };

/** What became of a transaction; where it was refused, with DynamoDB's reason for each item (`None` for most). */
export type Transacted = { written: true } | { written: false; reasons: string[]; cause: unknown };

export type Item = Record<string, unknown>;

export interface ItemInput {
  TableName: string;
  Key: { pk: string };
}

export interface DeleteInput extends ItemInput {
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, unknown>;
}

export interface UpdateInput extends DeleteInput {
  UpdateExpression: string;
}

/** One write of a transaction, as the document clients of the AWS SDK take it: with plain values. */
export type TransactItem =
  | { Put: TransactWrite & { Item: Item } }
  | { Update: TransactWrite & { Key: Item; UpdateExpression: string } }
  | { Delete: TransactWrite & { Key: Item } }
  | { ConditionCheck: TransactWrite & { Key: Item; ConditionExpression: string } };

/** What each write of a transaction has: its table, and under which condition all of them are made. */
export interface TransactWrite {
  TableName: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}
