import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

/**
 * The pattern as articles have it: claim by a conditional put, look at the record when that is refused, run, update;
 * delete on failure. Nothing tells the writes of one call from those of another.
 */
export function classicRunOnce(client, TableName) {
  return async (pk, lockSeconds, work) => {
    const now = Math.floor(Date.now() / 1000);
    try {
      await client.send(
        new PutItemCommand({
          TableName,
          Item: marshall({ pk, status: 'IN_PROGRESS', expiresAt: now + lockSeconds }),
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
          ExpressionAttributeValues: marshall({ ':now': now }),
        }),
      );
    } catch (error) {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: marshall({ pk }) }));
      const record = Item && unmarshall(Item);
      if (record?.status === 'COMPLETED') return record.result;
      throw Object.assign(new Error('Already in progress'), { name: 'AlreadyInProgress' });
    }
    let result;
    try {
      result = await work();
    } catch (error) {
      await client.send(new DeleteItemCommand({ TableName, Key: marshall({ pk }) }));
      throw error;
    }
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: marshall({ pk }),
        UpdateExpression: 'SET #status = :completed, #result = :result, expiresAt = :expiresAt',
        ExpressionAttributeNames: { '#status': 'status', '#result': 'result' },
        ExpressionAttributeValues: marshall(
          { ':completed': 'COMPLETED', ':result': result, ':expiresAt': now + 86_400 },
          { removeUndefinedValues: true },
        ),
      }),
    );
    return result;
  };
}
