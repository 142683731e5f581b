import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';

const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'records', keyAttr: 'pk' });
const config = new IdempotencyConfig({ eventKeyJmesPath: 'id' });
const once = makeIdempotent(async ({ id }) => ({ id }), { persistenceStore, config });

export const handler = (event, context) => {
  config.registerLambdaContext(context);
  return once(event);
};
