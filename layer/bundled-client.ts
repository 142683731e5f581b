import { HttpRequest } from '@smithy/core/protocols';
import { retryMiddleware, StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { HandlerExecutionContext } from '@smithy/types';
import { answerOf } from './client/answer-of';
import { credentialsOf } from './client/credentials';
import { endpointOf } from './client/endpoint';
import { requestBody } from './client/request-body';
import { signature } from './client/signature';
import { createSkew } from './client/skew';
import { traceHeaders } from './client/trace';
import { userAgentOf } from './client/user-agent';
import type { DynamoDBMethods, Output } from './client-table';

type Options = { abortSignal?: AbortSignal };

const MAX_ATTEMPTS = 3;

// The SDK's for DynamoDB.
const FIRST_RETRY_MILLISECONDS = 25;

/**
 * A client of the protocol's four operations, with the SDK's connections and retries but none of its models, of which
 * typed JSON has no need: a fraction of the size of the SDK's own, and of its time for each request.
 *
 * It is for functions that have seconds to live: DynamoDB answers in milliseconds, so what has not answered in two
 * seconds is better asked again on a new connection.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export function createClient(): DynamoDBMethods {
  const connections = new NodeHttpHandler({
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    throwOnRequestTimeout: true,
  });
  const strategy = new StandardRetryStrategy({
    maxAttempts: MAX_ATTEMPTS,
    baseDelay: FIRST_RETRY_MILLISECONDS,
  });
  const retrying = retryMiddleware({
    maxAttempts: async () => MAX_ATTEMPTS,
    retryStrategy: async () => strategy,
  });
  const { AWS_REGION: region } = process.env;
  const credentials = credentialsOf(process.env);
  const userAgent = userAgentOf(process.env);
  const skew = createSkew();
  let endpoint: URL | undefined;

  const operation = (name: string) => async (input: object, options: Options) => {
    if (!region) throw new Error('Region is missing');
    endpoint ??= endpointOf(region, process.env);
    const { protocol, hostname, host, port, pathname: path } = endpoint;
    const body = requestBody(input);
    const headers = {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': userAgent,
      'x-amz-target': `DynamoDB_20120810.${name}`,
      ...traceHeaders(),
    };
    const to = { method: 'POST', protocol, hostname, path, body, ...(port && { port: Number(port) }) };

    const attempt = async ({ request }: { request: HttpRequest }) => {
      const { headers } = request;
      const signedAt = skew.now();
      const proof = signature(region, await credentials(), path, headers, body, signedAt);
      const { response } = await connections.handle(
        new HttpRequest({ ...to, headers: { ...headers, ...proof } }),
        options,
      );
      return { response, output: await skew.learn(response, answerOf(response), signedAt) };
    };
    // How the SDK's retries hear that the caller has given up.
    const context = { __smithy_context: options } as unknown as HandlerExecutionContext;
    const send = retrying(attempt as never, context);
    return (await send({ input, request: new HttpRequest({ headers }) })).output as Output;
  };

  return {
    updateItem: operation('UpdateItem'),
    deleteItem: operation('DeleteItem'),
    getItem: operation('GetItem'),
    transactWriteItems: operation('TransactWriteItems'),
  };
}
