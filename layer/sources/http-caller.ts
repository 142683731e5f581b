import type { HttpEvent } from './http-request';

interface Authorizer {
  jwt?: { claims?: Claims | null } | null;
  claims?: Claims | null;
  principalId?: unknown;
  lambda?: { principalId?: unknown } | null;
  iam?: { userArn?: unknown; cognitoIdentity?: { identityId?: unknown } | null } | null;
}

interface Claims {
  iss?: unknown;
  sub?: unknown;
  client_id?: unknown;
}

interface Identity {
  cognitoIdentityId?: unknown;
  userArn?: unknown;
  apiKeyId?: unknown;
}

/**
 * Who sent the request, as AWS has established it; never by what the client says of itself in a header. In this order:
 * the token's issuer, subject and client (a subject is unique within its issuer only, RFC 7519 §4.1.2), the principal
 * of a Lambda authorizer, the Cognito identity, the IAM principal with its session, the API key's id.
 *
 * @returns undefined where the event names nobody.
 */
export function callerOf({ requestContext }: HttpEvent): string | undefined {
  const { authorizer, identity } = (requestContext ?? {}) as {
    authorizer?: Authorizer | null;
    identity?: Identity | null;
  };
  const { iss, sub, client_id } = authorizer?.jwt?.claims ?? authorizer?.claims ?? {};
  if (sub || client_id) return named('jwt', { iss, sub, client_id });
  const iam = authorizer?.iam;
  return (
    named('principal', { id: authorizer?.principalId || authorizer?.lambda?.principalId }) ??
    named('cognito', { id: identity?.cognitoIdentityId || iam?.cognitoIdentity?.identityId }) ??
    named('iam', { arn: identity?.userArn || iam?.userArn }) ??
    named('api-key', { id: identity?.apiKeyId })
  );
}

/** Words with labels, and no blank within a word: two different callers never have the same text. */
function named(kind: string, fields: Record<string, unknown>): string | undefined {
  const words = Object.entries(fields).flatMap(([label, value]) =>
    value ? [`${label}=${String(value).replaceAll('%', '%25').replaceAll(' ', '%20')}`] : [],
  );
  return words.length === 0 ? undefined : [kind, ...words].join(' ');
}
