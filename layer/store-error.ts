import { IdempotencyError, StoreError } from './errors';

const CONSEQUENCE = {
  claim: 'The work was not run.',
  read: 'The work was not run.',
  extend: 'The lock ends when it would have.',
  complete:
    'The work ran, but its completion is not known to be recorded: if it is not, a retry runs it again once its lock has ended.',
  commit:
    'The work ran, but its writes and its completion are not known to be committed (the cause may lie with a table of its own): once its lock has ended, a retry runs it again.',
  release: 'The record stays until its lock has ended.',
};

/** A step of the protocol, as errors name it. */
export type Step = keyof typeof CONSEQUENCE;

/**
 * Turns a client's error into one that names the cause, the fix and what it means for the work.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
export function storeError(step: Step, tableName: string) {
  return (cause: unknown): never => {
    if (cause instanceof IdempotencyError) throw cause;
    const { explanation, retryable } = explain(cause);
    throw new StoreError(
      `Could not ${step} the record in table ${tableName}: ${explanation} ${CONSEQUENCE[step]}`,
      { cause, retryable },
    );
  };
}

function explain(error: unknown): { explanation: string; retryable: boolean } {
  const { name, code, message = String(error) } = error as { name?: string; code?: string; message?: string };
  // `name` in SDK v3, `code` in v2 and for what Node.js itself reports of a connection; for a missing region neither.
  const ids = [code, name, message].filter((id) => id !== undefined);
  const passing = ids.find((id) => Object.hasOwn(RETRYABLE, id));
  if (passing !== undefined) return { explanation: `${passing}: ${RETRYABLE[passing]}`, retryable: true };
  // A load balancer in front of DynamoDB answers in its own format, of which only the status can be understood.
  const status = statusOf(error);
  if (status >= 500) return { explanation: `HTTP ${status}: ${OUTAGE}`, retryable: true };
  const final = ids.find((id) => Object.hasOwn(FINAL, id));
  if (final !== undefined) return { explanation: `${final}: ${FINAL[final]}`, retryable: false };
  return {
    explanation: `${code ?? name ?? 'unknown error'}: ${message.replace(/\.$/, '')}.`,
    retryable: false,
  };
}

/** The response's HTTP status, by SDK v3 or v2; 0 where there was no response. */
function statusOf(error: unknown): number {
  const { $metadata, statusCode } = error as { $metadata?: { httpStatusCode?: number }; statusCode?: number };
  return $metadata?.httpStatusCode ?? statusCode ?? 0;
}

const THROTTLED =
  'the table is throttled. Let the caller retry; raise its throughput limit if it has one, and look for a hot key.';
const UNREACHABLE =
  'no connection to DynamoDB. In a VPC, add a gateway endpoint for DynamoDB or a route to the internet.';
const OUTAGE = 'DynamoDB failed on its side. Let the caller retry.';
const TIMED_OUT =
  'DynamoDB did not answer in time. In a VPC, check the gateway endpoint and the security group; else let the caller retry.';
const CONTENDED = 'another write holds one of the items. Let the caller retry.';

const RETRYABLE: Record<string, string> = {
  ProvisionedThroughputExceededException: THROTTLED,
  ThrottlingException: THROTTLED,
  RequestLimitExceeded: THROTTLED,
  ProvisionedThroughputExceeded: THROTTLED,
  ThrottlingError: THROTTLED,
  TransactionConflict: CONTENDED,
  TransactionConflictException: CONTENDED,
  TransactionInProgressException: CONTENDED,
  ReplicatedWriteConflictException: CONTENDED,
  InternalServerError: OUTAGE,
  ServiceUnavailable: OUTAGE,
  ServiceUnavailableException: OUTAGE,
  TimeoutError: TIMED_OUT,
  TimeoutException: TIMED_OUT,
  ETIMEDOUT: TIMED_OUT,
  ECONNRESET: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EPIPE: UNREACHABLE,
  NetworkingError: UNREACHABLE,
};

const DEADLINE =
  'the time of this call was up before the table answered, and whether the write had its effect is found out by a retry. Let the caller retry.';
const CREDENTIALS =
  'the credentials are missing, expired or invalid. In Lambda they come with the role; elsewhere sign in again.';

const FINAL: Record<string, string> = {
  DeadlineExceeded: DEADLINE,
  ResourceNotFoundException:
    'the table does not exist in this account and region. Check IDEMPOTENCY_TABLE (the module’s `environment` output) and the region.',
  AccessDeniedException:
    'the role may not use the table. Attach the module’s policy to it (`role_names`), and the key’s permissions if the table has a customer managed key.',
  CredentialsProviderError: CREDENTIALS,
  CredentialsError: CREDENTIALS,
  ExpiredTokenException: CREDENTIALS,
  UnrecognizedClientException: CREDENTIALS,
  InvalidSignatureException: CREDENTIALS,
  IncompleteSignatureException: CREDENTIALS,
  MissingAuthenticationTokenException: CREDENTIALS,
  'Region is missing': 'set AWS_REGION, as Lambda does by itself.',
  SyntaxError: 'what answered is not DynamoDB. Check AWS_ENDPOINT_URL, and any proxy on the way.',
};
