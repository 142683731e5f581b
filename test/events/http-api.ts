import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';
import { type ClientRequest, joined, linesOf, lowerCased, payloadOf } from './http-request';

/**
 * What API Gateway sends from an HTTP API in payload format 2.0, with a JWT authorizer: header names in lower case, and
 * the values of several lines joined by a comma.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function httpApiEvent(request: ClientRequest): APIGatewayProxyEventV2WithJWTAuthorizer {
  const { method = 'POST', path = '/payments', query = {}, caller = 'alice' } = request;
  const { body, isBase64Encoded } = payloadOf(request);
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: new URLSearchParams(pairs).toString(),
    headers: lowerCased(joined(linesOf(request), ',')),
    ...(pairs.length > 0 && { queryStringParameters: joined(query, ',') }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'f6g7h8i9j0',
      authorizer: {
        jwt: {
          claims: { iss: 'https://login.example.com', sub: caller, client_id: 'app', exp: '1800003600' },
          scopes: ['payments:write'],
        },
      },
      domainName: 'f6g7h8i9j0.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'f6g7h8i9j0',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl/8.9.1' },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: '$default',
      stage: '$default',
      time: '15/Jan/2027:00:00:00 +0000',
      timeEpoch: 1_800_000_000_000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded,
  };
}
