import type { DeleteInput, Item, Table, Written } from './table';

/** `AWS.DynamoDB.DocumentClient` of `aws-sdk` v2, as far as it is used here. */
export interface DocumentClient {
  update: DocumentOperation;
  delete: DocumentOperation;
  get: DocumentOperation;
}

// biome-ignore lint/suspicious/noExplicitAny: `aws-sdk` v2 brings types of its own, which users may not have installed.
type DocumentOperation = (input: any) => { promise(): Promise<DocumentOutput> };
interface DocumentOutput {
  Attributes?: Item | undefined;
  Item?: Item | undefined;
}

/** The table over a DocumentClient, for code that still holds one. */
export function documentClientTable(client: DocumentClient): Table {
  // Old versions check their input and refuse the parameter; they are then not asked with it again.
  let returnsItem = true;

  async function write(operation: 'update' | 'delete', input: DeleteInput & { ReturnValues?: string }) {
    if (!returnsItem) return written(client[operation](input).promise());
    try {
      const asking = { ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
      return await written(client[operation](asking).promise());
    } catch (error) {
      if ((error as { code?: string }).code !== 'UnexpectedParameter') throw error;
      returnsItem = false;
      return written(client[operation](input).promise());
    }
  }

  return {
    update: (input) => write('update', { ...input, ReturnValues: 'ALL_OLD' }),
    delete: (input) => write('delete', input),
    async get(input) {
      return (await client.get({ ...input, ConsistentRead: true }).promise()).Item;
    },
  };
}

async function written(response: Promise<DocumentOutput>): Promise<Written> {
  try {
    return { written: true, old: (await response).Attributes };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ConditionalCheckFailedException') throw error;
    // v2 does not pass the item on, even where it lets it be asked for: it is read then.
    return { written: false };
  }
}
