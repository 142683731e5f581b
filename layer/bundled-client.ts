import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

/** The SDK's commands, for a client that has only `send`. */
export const commands = {
  updateItem: UpdateItemCommand,
  deleteItem: DeleteItemCommand,
  getItem: GetItemCommand,
  transactWriteItems: TransactWriteItemsCommand,
};

/**
 * A client for functions that have seconds to live: DynamoDB answers in milliseconds, so what has not answered in
 * two seconds is better asked again on a new connection.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export function createClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
}
