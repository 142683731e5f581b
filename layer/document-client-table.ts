import { type AttributeValue, toItem } from './attribute-value';
import type { Item, Table, Transacted, Written } from './table';
import { cancellationReasons } from './transaction-reasons';

/** `AWS.DynamoDB.DocumentClient` of `aws-sdk` v2, as far as it is used here. */
export interface DocumentClient {
  update: DocumentOperation;
  delete: DocumentOperation;
  get: DocumentOperation;
  transactWrite: DocumentOperation;
}

// biome-ignore lint/suspicious/noExplicitAny: `aws-sdk` v2 brings types of its own, which users may not have installed.
type DocumentOperation = (input: any) => { promise(): Promise<object> };
interface DocumentOutput {
  Attributes?: Item | undefined;
  Item?: Item | undefined;
}

// Versions older than the parameter leave it out of the request: then the item is read in a second step.
const ON_REFUSAL = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

/** The table over a DocumentClient, for code that still holds one. */
export function documentClientTable(client: DocumentClient): Table {
  return {
    update: (input) => written(client.update({ ...input, ...ON_REFUSAL, ReturnValues: 'ALL_OLD' }).promise()),
    delete: (input) => written(client.delete({ ...input, ...ON_REFUSAL }).promise()),
    get: async (input) =>
      ((await client.get({ ...input, ConsistentRead: true }).promise()) as DocumentOutput).Item,
    transact: (TransactItems, ClientRequestToken) =>
      transacted(client.transactWrite({ TransactItems, ClientRequestToken }).promise()),
  };
}

async function written(response: Promise<object>): Promise<Written> {
  try {
    return { written: true, old: ((await response) as DocumentOutput).Attributes };
  } catch (error) {
    // In an error, unlike in an answer, v2 leaves the item as DynamoDB has sent it.
    const { code, Item: item } = error as { code?: string; Item?: Record<string, AttributeValue> };
    if (code !== 'ConditionalCheckFailedException') throw error;
    return { written: false, found: item && toItem(item) };
  }
}

async function transacted(response: Promise<object>): Promise<Transacted> {
  try {
    await response;
    return { written: true };
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'TransactionCanceledException') throw cause;
    return { written: false, reasons: cancellationReasons(cause), cause };
  }
}
