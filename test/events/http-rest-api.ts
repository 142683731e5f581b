import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ClientRequest, lastOf, linesOf, payloadOf } from './http-request';

/**
 * What API Gateway sends from a REST API, with an authorizer of the function's own: headers as the client spells them,
 * once with the last value and once with all.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function restApiEvent(request: ClientRequest): APIGatewayProxyEvent {
  const { method = 'POST', path = '/payments', query, caller = 'alice' } = request;
  const { body, isBase64Encoded } = payloadOf(request);
  const lines = linesOf(request);
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: lastOf(lines),
    multiValueHeaders: lines,
    queryStringParameters: query ? lastOf(query) : null,
    multiValueQueryStringParameters: query ?? null,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      authorizer: { principalId: caller, integrationLatency: 12 },
      domainName: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'a1b2c3d4e5',
      extendedRequestId: 'Jx1sZEJ1liAFqYg=',
      httpMethod: method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: '192.0.2.1',
        user: null,
        userAgent: 'curl/8.9.1',
        userArn: null,
      },
      path: `/live${path}`,
      protocol: 'HTTP/1.1',
      requestId: '5b9c9a0e-6f0d-4a53-9d57-1a0f7f7a2b11',
      requestTime: '15/Jan/2027:00:00:00 +0000',
      requestTimeEpoch: 1_800_000_000_000,
      resourceId: 'z9y8x7',
      resourcePath: '/{proxy+}',
      stage: 'live',
    },
    body: body ?? null,
    isBase64Encoded,
  };
}
