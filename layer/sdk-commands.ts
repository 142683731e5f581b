import {
  DeleteItemCommand,
  GetItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

/** The SDK's commands, for a caller's client that has only `send`. */
export const commands = {
  updateItem: UpdateItemCommand,
  deleteItem: DeleteItemCommand,
  getItem: GetItemCommand,
  transactWriteItems: TransactWriteItemsCommand,
};
