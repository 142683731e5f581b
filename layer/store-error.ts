import { StoreError } from './errors';

const CONSEQUENCE = {
  claim: 'The work was not run.',
  complete:
    'The work ran, but its completion is not recorded: once its lock has ended, a retry runs it again.',
  release: 'The record stays until its lock has ended.',
};

/**
 * Turns a client's error into one that names the cause, the fix and what it means for the work.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export function storeError(step: keyof typeof CONSEQUENCE, tableName: string) {
  return (error: unknown): never => {
    throw new StoreError(
      `Could not ${step} the record in table ${tableName}: ${explain(error)} ${CONSEQUENCE[step]}`,
      {
        cause: error,
      },
    );
  };
}

function explain(error: unknown): string {
  // `name` in SDK v3, `code` in v2 and for what Node.js itself reports of a connection.
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  for (const id of [code, name]) {
    const known = id === undefined ? undefined : EXPLANATIONS[id];
    if (known) return `${id}: ${known}`;
  }
  return `${code ?? name ?? 'unknown error'}: ${message ?? String(error)}.`;
}

const THROTTLED =
  'the table is throttled. Let the caller retry; raise its throughput limit if it has one, and look for a hot key.';
const UNREACHABLE =
  'no connection to DynamoDB. In a VPC, add a gateway endpoint for DynamoDB or a route to the internet.';
const OUTAGE = 'DynamoDB failed on its side. Let the caller retry.';
const TIMED_OUT =
  'DynamoDB did not answer in time. In a VPC, check the gateway endpoint and the security group; else let the caller retry.';
const CREDENTIALS =
  'the credentials are missing, expired or invalid. In Lambda they come with the role; elsewhere sign in again.';

const EXPLANATIONS: Record<string, string> = {
  ResourceNotFoundException:
    'the table does not exist in this account and region. Check IDEMPOTENCY_TABLE (the module’s `environment` output) and the region.',
  AccessDeniedException:
    'the role may not use the table. Attach the module’s policy to it (`role_names`), and the key’s permissions if the table has a customer managed key.',
  ProvisionedThroughputExceededException: THROTTLED,
  ThrottlingException: THROTTLED,
  RequestLimitExceeded: THROTTLED,
  InternalServerError: OUTAGE,
  ServiceUnavailable: OUTAGE,
  ServiceUnavailableException: OUTAGE,
  TimeoutError: TIMED_OUT,
  TimeoutException: TIMED_OUT,
  ETIMEDOUT: TIMED_OUT,
  ECONNRESET: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EPIPE: UNREACHABLE,
  NetworkingError: UNREACHABLE,
  CredentialsProviderError: CREDENTIALS,
  CredentialsError: CREDENTIALS,
  ExpiredTokenException: CREDENTIALS,
  UnrecognizedClientException: CREDENTIALS,
  InvalidSignatureException: CREDENTIALS,
};
