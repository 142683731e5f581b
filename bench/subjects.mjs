/**
 * The layer and its peers, loaded as a function would: each gives `runOnce(key, work)`, whose lock is 30 seconds long.
 * This file loads nothing by itself, so that loading can be measured.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const layer = join(import.meta.dirname, '../dist/nodejs');
const tableName = 'records';

/** @param {'esm' | 'cjs'} modules */
export async function load(subject, modules = 'esm') {
  return SUBJECTS[subject](
    modules === 'esm' ? (name) => import(name) : async (name) => require(name),
    modules,
  );
}

const SUBJECTS = {
  async ours(bring, modules) {
    const { createRunOnce } = await bring(join(layer, modules === 'esm' ? 'index.mjs' : 'index.js'));
    const runOnce = createRunOnce({ tableName });
    return (key, work) => runOnce(key, 30, work);
  },
  async cached(bring) {
    const { createRunOnce } = await bring(join(layer, 'index.mjs'));
    const runOnce = createRunOnce({ tableName, cache: true });
    return (key, work) => runOnce(key, 30, work);
  },
  /** As its documentation sets it up: the key by JMESPath, the lock by Lambda's context. */
  async powertools(bring) {
    process.env.AWS_LAMBDA_FUNCTION_NAME ??= 'orders';
    const { IdempotencyConfig, makeIdempotent } = await bring('@aws-lambda-powertools/idempotency');
    const { DynamoDBPersistenceLayer } = await bring('@aws-lambda-powertools/idempotency/dynamodb');
    const persistenceStore = new DynamoDBPersistenceLayer({ tableName, keyAttr: 'pk' });
    return async (key, work) => {
      const config = new IdempotencyConfig({ eventKeyJmesPath: 'key', expiresAfterSeconds: 86_400 });
      config.registerLambdaContext({ getRemainingTimeInMillis: () => 30_000 });
      return makeIdempotent(async () => work(), { persistenceStore, config })({ key });
    };
  },
  /** What Node.js itself takes for a request that is signed and may be encrypted, without a line of anybody's code. */
  async node() {
    // By require: an import would also load what the names of all exports lead to, such as fetch.
    const [{ request }, { createHmac }] = ['http', 'crypto', 'https'].map((name) => require(`node:${name}`));
    return (pk, work) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ Item: { pk: { S: pk } } });
        const headers = {
          'x-amz-target': 'DynamoDB_20120810.PutItem',
          authorization: createHmac('sha256', 'secret').update(body).digest('hex'),
        };
        const sent = request(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers }, (response) => {
          response.on('end', () => resolve(work())).resume();
        });
        sent.on('error', reject).end(body);
      });
  },
  /** The floor: the article's two writes, or its refused write and its read, and nothing else. */
  async bare(bring) {
    const { DynamoDBClient, PutItemCommand, UpdateItemCommand, GetItemCommand } =
      await bring('@aws-sdk/client-dynamodb');
    const { marshall, unmarshall } = await bring('@aws-sdk/util-dynamodb');
    const client = new DynamoDBClient({});
    return async (pk, work) => {
      const now = Math.floor(Date.now() / 1000);
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: marshall({ pk, status: 'IN_PROGRESS', expiresAt: now + 30 }),
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
            ExpressionAttributeValues: marshall({ ':now': now }),
          }),
        );
      } catch (error) {
        if (error.name !== 'ConditionalCheckFailedException') throw error;
        const { Item } = await client.send(
          new GetItemCommand({ TableName: tableName, Key: marshall({ pk }), ConsistentRead: true }),
        );
        return unmarshall(Item).result;
      }
      const result = await work();
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: marshall({ pk }),
          UpdateExpression: 'SET #status = :status, #result = :result, expiresAt = :expiresAt',
          ExpressionAttributeNames: { '#status': 'status', '#result': 'result' },
          ExpressionAttributeValues: marshall({
            ':status': 'COMPLETED',
            ':result': result,
            ':expiresAt': now + 86_400,
          }),
        }),
      );
      return result;
    };
  },
};
