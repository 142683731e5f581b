import type { ALBEvent } from 'aws-lambda';
import { type ClientRequest, lastOf, linesOf, lowerCased, payloadOf } from './http-request';

const TARGET_GROUP =
  'arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/shop/6d0ecf831eec9f09';

/**
 * What an Application Load Balancer sends: header names in lower case, with the last value of each.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
export function loadBalancerEvent(request: ClientRequest): ALBEvent {
  const { method = 'POST', path = '/payments', query = {}, caller = 'alice' } = request;
  const { body = '', isBase64Encoded } = payloadOf(request);
  return {
    requestContext: { elb: { targetGroupArn: TARGET_GROUP } },
    httpMethod: method,
    path,
    queryStringParameters: lastOf(query),
    headers: { ...lowerCased(lastOf(linesOf(request))), 'x-tenant': caller },
    body,
    isBase64Encoded,
  };
}

/** The same where the target group has multi-value headers turned on. */
export function multiValueLoadBalancerEvent(request: ClientRequest): ALBEvent {
  const { queryStringParameters: _, headers: __, ...event } = loadBalancerEvent(request);
  const { query = {}, caller = 'alice' } = request;
  return {
    ...event,
    multiValueQueryStringParameters: query,
    multiValueHeaders: { ...lowerCased(linesOf(request)), 'x-tenant': [caller] },
  };
}
