import type { LambdaFunctionURLEventWithIAMAuthorizer } from 'aws-lambda';
import { httpApiEvent } from './http-api';
import type { ClientRequest } from './http-request';

/**
 * What a Function URL with IAM authorization sends: payload format 2.0, with the caller's principal.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
export function functionUrlEvent(request: ClientRequest): LambdaFunctionURLEventWithIAMAuthorizer {
  const { caller = 'alice' } = request;
  const event = httpApiEvent(request);
  return {
    ...event,
    requestContext: {
      ...event.requestContext,
      authorizer: {
        iam: {
          accessKey: 'ASIAIOSFODNN7EXAMPLE',
          accountId: '123456789012',
          callerId: 'AROAIOSFODNN7EXAMPLE:shop',
          cognitoIdentity: null,
          principalOrgId: 'o-a1b2c3d4e5',
          userArn: `arn:aws:sts::123456789012:assumed-role/${caller}/shop`,
          userId: 'AROAIOSFODNN7EXAMPLE:shop',
        },
      },
      domainName: 'k1l2m3n4o5.lambda-url.eu-central-1.on.aws',
      domainPrefix: 'k1l2m3n4o5',
    },
  };
}
