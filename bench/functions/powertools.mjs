import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';

const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'records', keyAttr: 'pk' });
const config = new IdempotencyConfig({ eventKeyJmesPath: 'id' });
const once = makeIdempotent(async ({ id }) => ({ id }), { persistenceStore, config });

export const handler = async (event, context) => {
  const initialised = performance.now();
  config.registerLambdaContext(context);
  await once(event);
  return { initialised };
};
