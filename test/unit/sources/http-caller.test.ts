import fc from 'fast-check';
import { callerOf } from '../../../layer/sources/http-caller';
import type { HttpEvent } from '../../../layer/sources/http-request';
import { httpApiEvent } from '../../events/http-api';
import { functionUrlEvent } from '../../events/http-function-url';
import { loadBalancerEvent } from '../../events/http-load-balancer';
import { restApiEvent } from '../../events/http-rest-api';

function rest(authorizer: object | null | undefined, identity: object = {}): HttpEvent {
  const event = restApiEvent({});
  const { requestContext } = event;
  return {
    ...event,
    requestContext: {
      ...requestContext,
      authorizer,
      identity: { ...requestContext.identity, ...identity },
    },
  };
}

function http(authorizer?: object): HttpEvent {
  const event = httpApiEvent({});
  return { ...event, requestContext: { ...event.requestContext, authorizer } as never };
}

const ARN = 'arn:aws:iam::123456789012:user/alice';

it.each<[string, HttpEvent, string | undefined]>([
  [
    'an HTTP API’s JWT authorizer',
    httpApiEvent({}),
    'jwt iss=https://login.example.com sub=alice client_id=app',
  ],
  [
    'a token of a client, without a subject',
    http({ jwt: { claims: { iss: 'https://login.example.com', client_id: 'batch' }, scopes: null } }),
    'jwt iss=https://login.example.com client_id=batch',
  ],
  [
    'a REST API’s Cognito authorizer',
    rest({ claims: { iss: 'https://cognito.example.com/pool', sub: '5f0c' } }),
    'jwt iss=https://cognito.example.com/pool sub=5f0c',
  ],
  ['a REST API’s Lambda authorizer', restApiEvent({}), 'principal id=alice'],
  [
    'an HTTP API’s Lambda authorizer that says so',
    http({ lambda: { principalId: 'alice' } }),
    'principal id=alice',
  ],
  ['a Cognito identity', rest(null, { cognitoIdentityId: 'eu:1', userArn: ARN }), 'cognito id=eu:1'],
  [
    'a Cognito identity, in payload format 2.0',
    http({ iam: { userArn: ARN, cognitoIdentity: { amr: ['authenticated'], identityId: 'eu:1' } } }),
    'cognito id=eu:1',
  ],
  ['an IAM principal of a REST API', rest(undefined, { userArn: ARN }), `iam arn=${ARN}`],
  [
    'an IAM principal of a Function URL',
    functionUrlEvent({}),
    'iam arn=arn:aws:sts::123456789012:assumed-role/alice/shop',
  ],
  ['an API key', rest(null, { apiKeyId: 'k1', apiKey: 'SECRET' }), 'api-key id=k1'],
  ['an authorizer that names nobody', http({ lambda: { tier: 'gold' } }), undefined],
  ['an authorizer without a context', http({ lambda: null }), undefined],
  ['claims that name nobody', http({ jwt: { claims: { iss: 'https://login.example.com' } } }), undefined],
  ['a subject with a blank', http({ jwt: { claims: { sub: 'a client_id=b' } } }), 'jwt sub=a%20client_id=b'],
  ['a subject with a percent sign', http({ jwt: { claims: { sub: 'a%20b' } } }), 'jwt sub=a%2520b'],
  ['an empty principal', rest({ principalId: '' }), undefined],
  ['no authorizer', http(), undefined],
  ['a load balancer', loadBalancerEvent({ headers: { 'x-amzn-oidc-identity': 'alice' } }), undefined],
  ['no request context', { httpMethod: 'POST', path: '/' } as never, undefined],
])('%s', (_, event, caller) => {
  expect(callerOf(event)).toBe(caller);
});

it('is another text for each other issuer, subject and client', () => {
  const claim = fc.option(
    fc.string({ unit: fc.constantFrom('a', ' ', '%', '=', '20', 'sub=', 'client_id=') }),
    {
      nil: undefined,
    },
  );
  const claims = fc.record({ iss: claim, sub: claim, client_id: claim });
  const known = ({ iss, sub, client_id }: Record<string, string | undefined>) =>
    JSON.stringify([iss || '', sub || '', client_id || '']);
  fc.assert(
    fc.property(claims, claims, (one, two) => {
      const callers = [one, two].map((given) => callerOf(http({ jwt: { claims: given } })));
      fc.pre(callers.every((caller) => caller !== undefined));
      expect(callers[0] === callers[1]).toBe(known(one) === known(two));
    }),
  );
});
