import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';

/** Powertools as its documentation sets it up: the key by JMESPath, the in-progress lock by Lambda's context. */
export function powertoolsRunOnce(client, tableName) {
  process.env.AWS_LAMBDA_FUNCTION_NAME ??= 'orders';
  const persistenceStore = new DynamoDBPersistenceLayer({ tableName, keyAttr: 'pk', awsSdkV3Client: client });
  return (key, lockSeconds, work) => {
    const config = new IdempotencyConfig({ eventKeyJmesPath: 'key', expiresAfterSeconds: 86_400 });
    const end = Date.now() + lockSeconds * 1000;
    config.registerLambdaContext({ getRemainingTimeInMillis: () => end - Date.now() });
    return makeIdempotent(async (_event) => work(), { persistenceStore, config })({ key });
  };
}
