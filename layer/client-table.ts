import { type AttributeValue, toAttributes, toItem } from './attribute-value';
import { ConfigurationError } from './errors';
import type { DeleteInput, Item, Table, Transacted, TransactItem, UpdateInput, Written } from './table';
import { cancellationReasons } from './transaction-reasons';

/**
 * A DynamoDB client of AWS SDK v3 that the caller brings: `new DynamoDB({ … })`, whose own commands are used then, or
 * `new DynamoDBClient({ … })`.
 */
export type Client = DynamoDBMethods | SendingClient;

type Attributes = Record<string, AttributeValue>;
export type Output = { Attributes?: Attributes | undefined; Item?: Attributes | undefined };
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not part of this layer's declarations.
type Operation = (input: any, options?: any) => Promise<Output>;

/** As `new DynamoDB()` has them. */
export interface DynamoDBMethods {
  updateItem: Operation;
  deleteItem: Operation;
  getItem: Operation;
  transactWriteItems: Operation;
}

/** As `new DynamoDBClient()` is. */
export interface SendingClient {
  /** Sends a command of the SDK. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  send(command: any, options?: any): Promise<any>;
  config: unknown;
}

/**
 * The layer's own client, whose loading takes as long as the rest of an import. Lambda has more CPU for the init phase
 * than most functions have later, so it is not left to the first call.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export function loadBundledClient(): Promise<{ createClient(): DynamoDBMethods }> {
  return import('./bundled-client');
}

/** The table over an SDK v3 client; without one, over the bundled client, created on first use. */
export function clientTable(client?: Client): Table {
  if (client === undefined) void loadBundledClient();
  let loading: Promise<DynamoDBMethods> | undefined;
  const loaded = () => {
    loading ??= methodsOf(client);
    return loading;
  };

  return {
    async update(input: UpdateInput, signal) {
      const { updateItem } = await loaded();
      return written(updateItem({ ...conditional(input), ReturnValues: 'ALL_OLD' }, endingBy(signal)));
    },
    async delete(input: DeleteInput, signal) {
      const { deleteItem } = await loaded();
      return written(deleteItem(conditional(input), endingBy(signal)));
    },
    async get({ TableName, Key }, signal) {
      const { getItem } = await loaded();
      const { Item } = await getItem(
        { TableName, Key: toAttributes(Key), ConsistentRead: true },
        endingBy(signal),
      );
      return Item && toItem(Item);
    },
    async transact(items, token, signal) {
      const { transactWriteItems } = await loaded();
      const TransactItems = items.map(toTransactItem);
      return transacted(transactWriteItems({ TransactItems, ClientRequestToken: token }, endingBy(signal)));
    },
  };
}

async function methodsOf(client: Client | undefined): Promise<DynamoDBMethods> {
  if (client === undefined) {
    const { createClient } = await loadBundledClient();
    return createClient();
  }
  if ('updateItem' in client) {
    return {
      updateItem: (input, options) => client.updateItem(input, options),
      deleteItem: (input, options) => client.deleteItem(input, options),
      getItem: (input, options) => client.getItem(input, options),
      transactWriteItems: (input, options) => client.transactWriteItems(input, options),
    };
  }
  if (!('protocol' in (client.config as object))) {
    throw new ConfigurationError(
      'client is a DynamoDBClient of an @aws-sdk/client-dynamodb too old for the commands of this layer. Pass new DynamoDB({ … }) of the same package, which brings its own commands, or update the package.',
    );
  }
  const { commands } = await import('./sdk-commands');
  return {
    updateItem: (input, options) => client.send(new commands.updateItem(input), options),
    deleteItem: (input, options) => client.send(new commands.deleteItem(input), options),
    getItem: (input, options) => client.send(new commands.getItem(input), options),
    transactWriteItems: (input, options) => client.send(new commands.transactWriteItems(input), options),
  };
}

const endingBy = (signal: AbortSignal | undefined) => ({ abortSignal: signal });

function conditional(input: DeleteInput) {
  return {
    ...input,
    Key: toAttributes(input.Key),
    ExpressionAttributeValues: toAttributes(input.ExpressionAttributeValues),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/** The same write with attribute values in the places that hold values. */
export function toTransactItem(item: TransactItem): object {
  const [[operation, write]] = Object.entries(item) as [[string, Item]];
  const typed = { ...write };
  for (const place of ['Item', 'Key', 'ExpressionAttributeValues']) {
    if (typed[place] !== undefined) typed[place] = toAttributes(typed[place] as Item);
  }
  return { [operation]: typed };
}

async function written(response: Promise<Output>): Promise<Written> {
  try {
    const { Attributes } = await response;
    return { written: true, old: Attributes && toItem(Attributes) };
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
    const { Item: item } = error as { Item?: Attributes };
    return { written: false, found: item && toItem(item) };
  }
}

async function transacted(response: Promise<Output>): Promise<Transacted> {
  try {
    await response;
    return { written: true };
  } catch (cause) {
    if ((cause as Error).name !== 'TransactionCanceledException') throw cause;
    return { written: false, reasons: cancellationReasons(cause), cause };
  }
}
