import { type AttributeValue, toAttributeValue, toItem } from './attribute-value';
import { ConfigurationError } from './errors';
import type { DeleteInput, Item, Table, UpdateInput, Value, Written } from './table';

/**
 * A DynamoDB client of AWS SDK v3 that the caller brings: `new DynamoDB({ … })`, whose own commands are used then, or
 * `new DynamoDBClient({ … })`.
 */
export type Client = DynamoDBMethods | SendingClient;

type Output = {
  Attributes?: Record<string, AttributeValue> | undefined;
  Item?: Record<string, AttributeValue> | undefined;
};
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not part of this layer's declarations.
type Operation = (input: any) => Promise<Output>;

export interface DynamoDBMethods {
  updateItem: Operation;
  deleteItem: Operation;
  getItem: Operation;
}

export interface SendingClient {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  send(command: any): Promise<any>;
  config: unknown;
}

/** The table over an SDK v3 client; without one, over the bundled client, loaded and created on first use. */
export function clientTable(client?: Client): Table {
  let loading: Promise<DynamoDBMethods> | undefined;
  const loaded = () => {
    loading ??= methodsOf(client);
    return loading;
  };

  return {
    async update(input: UpdateInput) {
      const { updateItem } = await loaded();
      return written(updateItem({ ...conditional(input), ReturnValues: 'ALL_OLD' }));
    },
    async delete(input: DeleteInput) {
      const { deleteItem } = await loaded();
      return written(deleteItem(conditional(input)));
    },
    async get({ TableName, Key }) {
      const { getItem } = await loaded();
      const { Item } = await getItem({ TableName, Key: { pk: { S: Key.pk } }, ConsistentRead: true });
      return Item && toItem(Item);
    },
  };
}

async function methodsOf(client: Client | undefined): Promise<DynamoDBMethods> {
  if (client && 'updateItem' in client) {
    return {
      updateItem: (input) => client.updateItem(input),
      deleteItem: (input) => client.deleteItem(input),
      getItem: (input) => client.getItem(input),
    };
  }
  if (client && !('protocol' in (client.config as object))) {
    throw new ConfigurationError(
      'client is a DynamoDBClient of an @aws-sdk/client-dynamodb too old for the commands of this layer. Pass new DynamoDB({ … }) of the same package, which brings its own commands, or update the package.',
    );
  }
  const { commands, createClient } = await import('./bundled-client');
  const sender: SendingClient = client ?? createClient();
  return {
    updateItem: (input) => sender.send(new commands.updateItem(input)),
    deleteItem: (input) => sender.send(new commands.deleteItem(input)),
    getItem: (input) => sender.send(new commands.getItem(input)),
  };
}

function conditional<Input extends DeleteInput>(input: Input) {
  return {
    ...input,
    Key: { pk: { S: input.Key.pk } },
    ExpressionAttributeValues: attributeValues(input.ExpressionAttributeValues),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

function attributeValues(values: Record<string, Value>): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toAttributeValue(value)]));
}

async function written(response: Promise<Output>): Promise<Written> {
  try {
    const { Attributes } = await response;
    return { written: true, old: Attributes && toItem(Attributes) };
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
    const { Item: item } = error as { Item?: Record<string, AttributeValue> };
    return { written: false, found: item && (toItem(item) as Item) };
  }
}
