import { STATUS_CODES } from 'node:http';
import {
  InvalidKeyError,
  KeyReusedError,
  LockLostError,
  OrphanedError,
  ResultUnavailableError,
  StillInProgressError,
  StoreError,
} from '../errors';
import type { ResponseFormat } from './http-request';
import { type HttpResponse, ownResponse } from './http-response';

/** What a client is told in place of the work's response. Nothing in it comes from the table or the work. */
export interface Problem {
  status: number;
  /** Tells this problem from others, in the body's `code` and as the fragment of its `type`. */
  code: string;
  detail: string;
  retryAfterSeconds?: number;
}

const SAME_KEY = 'with the same Idempotency-Key';

export const MISSING_KEY: Problem = {
  status: 400,
  code: 'idempotency-key-missing',
  detail:
    'This operation needs an Idempotency-Key header: a value of its own for each operation, the same for each retry of it.',
};

export const INVALID_KEY: Problem = {
  status: 400,
  code: 'idempotency-key-invalid',
  detail:
    'The Idempotency-Key header must be one value of 1 to 255 visible ASCII characters, in double quotes, for instance "8e03978e-40d5-43dd-bc93-6894a57f9324".',
};

// A table does not recover any faster for being asked more often, and a client that comes too early is told so again.
const TABLE_SECONDS = 1;

/** What of the library's errors is for the client to know, and act on; `undefined` for what is for the developer. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof StillInProgressError) {
    const { retryAfterSeconds } = error;
    const detail = `A request ${SAME_KEY} is still being carried out; this one was not. Retry it ${SAME_KEY} for the first one's answer.`;
    return { status: 409, code: 'request-in-progress', detail, retryAfterSeconds };
  }
  if (error instanceof KeyReusedError) {
    const detail =
      'The Idempotency-Key has been used for another request, of another query or body; this one was not carried out. Use a new key for each operation.';
    return { status: 422, code: 'idempotency-key-reused', detail };
  }
  if (error instanceof InvalidKeyError) {
    const detail =
      'The Idempotency-Key or the path is made of a value that is missing, or is too long; the request was not carried out.';
    return { status: 400, code: 'idempotency-key-invalid', detail };
  }
  if (error instanceof StoreError || error instanceof LockLostError) {
    const detail = `Whether this request is a repetition, or what came of it, cannot be told or recorded now. Retry it later, ${SAME_KEY}.`;
    return { status: 503, code: 'temporarily-unavailable', detail, retryAfterSeconds: TABLE_SECONDS };
  }
  if (error instanceof ResultUnavailableError) {
    const detail =
      'The request was carried out and will not be again, but its answer is no longer available. Look its outcome up; retrying does not help.';
    return { status: 500, code: 'answer-unavailable', detail };
  }
  if (error instanceof OrphanedError) {
    const detail =
      'An earlier attempt at this request broke off, and may have had its effect; it is not carried out again. Look its outcome up; retrying does not help.';
    return { status: 500, code: 'outcome-unknown', detail };
  }
  return undefined;
}

/**
 * An `application/problem+json` answer. Where the API documents its problems, `type` points there; else it is left out,
 * and `title` is the status's own phrase.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export function problemResponse(
  { status, code, detail, retryAfterSeconds }: Problem,
  format: ResponseFormat,
  documentation: string | undefined,
): HttpResponse {
  const type = documentation === undefined ? {} : { type: `${documentation}#${code}` };
  const headers = {
    'Content-Type': 'application/problem+json',
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  };
  return ownResponse(
    status,
    headers,
    JSON.stringify({ ...type, title: STATUS_CODES[status], status, detail, code }),
    format,
  );
}
