import { IdempotencyError } from '../layer/errors';
import { CommandError, type Exit } from './exit-codes';

export interface Failure {
  exit: Exit;
  message: string;
}

/** What to tell the operator of whatever a command threw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return { exit: error.exit, message: error.message };
  if (error instanceof IdempotencyError) return { exit: 'usage', message: error.message };
  return { exit: 'failed', message: explained(error) };
}

/** The SDK's error with what helps against it. */
export function explained(error: unknown): string {
  const { name = 'Error', message = String(error), code } = error as Error & { code?: string };
  // Not to be reached, Node.js tells by a code, and by an AggregateError without a message.
  const text = `${code ?? name}: ${message || 'no connection'}`.replace(/\.?$/, '.');
  const hint = HINTS.find(([pattern]) => pattern.test(`${code ?? ''} ${name} ${message}`))?.[1];
  return hint === undefined ? text : `${text} ${hint}`;
}

const HINTS: [RegExp, string][] = [
  [
    /ResourceNotFound/,
    'Check the name, the region and the account: IDEMPOTENCY_TABLE or --table, AWS_REGION, AWS_PROFILE.',
  ],
  [
    /AccessDenied|NotAuthorized|UnauthorizedOperation/,
    'docs/cli.md has the policy that the command line needs.',
  ],
  [
    /Credentials|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|token.*expired/i,
    'Sign in, or set AWS_PROFILE or the AWS_… variables as for the AWS CLI.',
  ],
  [/Region is missing/, 'Set AWS_REGION, or a region in the profile.'],
  [/ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET/, 'Check AWS_ENDPOINT_URL, AWS_REGION and the network.'],
  [/Throttl|ThroughputExceeded/, 'The table is throttled. Try again with fewer --read-units.'],
];
