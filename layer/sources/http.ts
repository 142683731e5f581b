import type { RunOnceOptions } from '../call';
import { runOnce as runOnceOfTheEnvironment } from '../create-run-once';
import { ConfigurationError, type IdempotencyError } from '../errors';
import { keyOf, shortened } from '../key-of';
import { refuseUnknown } from '../known-options';
import type { RemainingTime } from '../lock';
import type { Run } from '../run';
import type { RunOnce } from '../run-once';
import { callerOf } from './http-caller';
import { readIdempotencyKey } from './http-key';
import { INVALID_KEY, MISSING_KEY, problemOf, problemResponse } from './http-problem';
import { type HttpEvent, type HttpRequest, readRequest } from './http-request';
import { asReplay, asResponse, type HttpResponse, statusOf } from './http-response';

type CallOptions = Pick<
  RunOnceOptions,
  'lockSeconds' | 'keepForSeconds' | 'whenInProgress' | 'waitSeconds' | 'heartbeat' | 'onOrphan'
>;

/** How `httpHandler` guards requests. The options of a call are those of {@link RunOnceOptions}. */
export interface HttpOptions<E extends HttpEvent = HttpEvent, R = unknown> extends CallOptions {
  /** Default: the `runOnce` that is set up from the environment. */
  runOnce?: RunOnce;
  /**
   * Who sent the request: a client is given no answer that another one's request had. Default: whom the event's
   * authorizer, IAM principal or API key names; a request without any is refused with ConfigurationError. Give a
   * function for any other identity, or `'anonymous'` where requests without one may share a scope: there, whoever
   * knows a key gets its answer.
   */
  caller?: ((event: E) => string) | 'anonymous';
  /** Whether an unsafe request without a key is refused with 400, or runs unguarded. Default: true, it is refused. */
  keyRequired?: boolean;
  /** Which responses are kept and replayed; after any other the key is free again. Default: those of a status below 500. */
  shouldStore?: (response: R) => boolean;
  /** Address of a page on these problems, for their `type`: it gets each one's `code` as its fragment. */
  documentation?: string;
}

/**
 * What a request is answered with. `run` is undefined where nothing is guarded: for safe methods, and for a request
 * without a key where none is required.
 */
export type HttpWork<E, C, R> = (event: E, context: C, run: Run | undefined) => Promise<R> | R;

const CALL_OPTIONS: (keyof CallOptions)[] = [
  'lockSeconds',
  'keepForSeconds',
  'whenInProgress',
  'waitSeconds',
  'heartbeat',
  'onOrphan',
];

const OPTIONS: (keyof HttpOptions)[] = [
  'runOnce',
  'caller',
  'keyRequired',
  'shouldStore',
  'documentation',
  ...CALL_OPTIONS,
];

// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * A handler for API Gateway (REST and HTTP APIs), Function URLs and Application Load Balancers, which carries a request
 * out once for each `Idempotency-Key`, and answers its repetitions with the first one's whole response and
 * `Idempotent-Replayed: true`. A key counts per caller, method and path.
 *
 * By itself it answers, as `application/problem+json` in the format that the payload wants: 400 to a key that is missing
 * or malformed, 409 with `Retry-After` while the first request is carried out, 422 to a key that was used with another
 * query or body, 503 with `Retry-After` where the table fails (then the work does not run, or its outcome could not be
 * recorded; a process warning says which), 500 where the request was carried out but its response could not be stored
 * (larger than a DynamoDB item even when compressed) or, with `onOrphan: 'fail'`, may have been.
 *
 * What the work throws reaches Lambda as ever, and the key is free again; so it is after a response of status 500 or
 * more. Two bodies are the same if their bytes are: a client must send again what it sent before.
 *
 * @throws ConfigurationError for an unknown option or a wrong value, when the handler is made.
 * @returns a handler that rejects with ConfigurationError for an event that is no HTTP request, or names no caller;
 *   with CommitRefusedError where a condition of the work's own writes does not hold; and with what the work throws.
 * @example
 * export const handler = httpHandler({}, async (event, context, run) => {
 *   const charge = await charges.create(JSON.parse(event.body ?? ''), { idempotencyKey: run?.idempotencyKey() });
 *   return { statusCode: 201, body: JSON.stringify(charge) };
 * });
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export function httpHandler<E extends HttpEvent, C extends RemainingTime, R>(
  options: HttpOptions<E, R>,
  work: HttpWork<E, C, R>,
): (event: E, context: C) => Promise<R | HttpResponse> {
  check(options, work);
  const { runOnce = runOnceOfTheEnvironment, caller, keyRequired = true, ...rest } = options;
  const { shouldStore = isNoServerError, documentation, ...call } = rest;

  return async (event, context) => {
    const request = readRequest(event);
    const { method, format } = request;
    if (SAFE_METHODS.includes(method)) return work(event, context, undefined);

    const values = request.header('idempotency-key');
    if (values.length === 0 && !keyRequired) return work(event, context, undefined);
    const key = readIdempotencyKey(values);
    if (key === undefined) {
      return problemResponse(values.length === 0 ? MISSING_KEY : INVALID_KEY, format, documentation);
    }
    const scope = scopeOf(event, caller);

    let ran = false;
    let failed = false;
    const guarded = async (run: Run): Promise<R> => {
      ran = true;
      try {
        const response = await work(event, context, run);
        if (keeps(shouldStore, response)) return response;
        throw new NotStored(response);
      } catch (error) {
        failed = true;
        throw error;
      }
    };
    try {
      const name = keyOf(...scope, method, shortened(request.path), key);
      const lock = call.lockSeconds === undefined ? { ...call, context } : call;
      const answer = await runOnce(name, { ...lock, fingerprint: fingerprintOf(request) }, guarded);
      return ran ? asResponse(answer, format) : asReplay(answer, format);
    } catch (error) {
      if (error instanceof NotStored) return asResponse(error.response as R, format);
      // What the work throws is the work's own, also where it is an error of this library: of a call within it.
      const problem = failed ? undefined : problemOf(error);
      if (!problem) throw error;
      if (problem.status >= 500)
        warn(`IDEMPOTENCY_${(error as IdempotencyError).code}`, (error as Error).message);
      return problemResponse(problem, format, documentation);
    }
  };
}

/** A response that is for this client only: thrown through `runOnce`, which releases the key. */
class NotStored extends Error {
  constructor(readonly response: unknown) {
    super('The response is not to be stored; the key is released.');
  }
}

/** The work is done: an error of the function that judges its response is no reason to run it again. */
function keeps<R>(shouldStore: (response: R) => boolean, response: R): boolean {
  try {
    return shouldStore(response) !== false;
  } catch (error) {
    warn(
      'IDEMPOTENCY_STORED_UNJUDGED',
      `A response is stored, because shouldStore threw ${(error as Error)?.name}.`,
    );
    return true;
  }
}

function isNoServerError(response: unknown): boolean {
  return !(statusOf(response) >= 500);
}

function scopeOf<E extends HttpEvent>(event: E, caller: HttpOptions<E>['caller']): string[] {
  const named = typeof caller === 'function' ? caller(event) : (callerOf(event) ?? caller);
  if (named === undefined) {
    throw new ConfigurationError(
      "It is not known who sent the request: neither an authorizer, IAM principal or API key of the event nor httpHandler's caller says so, and clients could get each other's answers. Pass caller: (event) => …, or caller: 'anonymous' if they may share them; the work was not run.",
    );
  }
  const scope = ['http', named];
  // Checked apart from what the client can get wrong.
  keyOf(...scope);
  return scope;
}

function fingerprintOf({ method, path, query, bodyHash }: HttpRequest) {
  return { method, path, query, bodyHash };
}

function check(options: HttpOptions<never, never>, work: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError(
      'httpHandler takes an object of options, then the work. Pass {} for no options.',
    );
  }
  refuseUnknown('httpHandler', options, OPTIONS);
  const { runOnce, caller, keyRequired, shouldStore, documentation } = options;
  const ofType = (type: string, value: unknown) => value === undefined || typeof value === type;
  const rules: [name: string, holds: boolean, fix: string][] = [
    ['work', typeof work === 'function', 'Pass (event, context, run) => response'],
    ['runOnce', ofType('function', runOnce), 'Pass what createRunOnce returns'],
    ['caller', caller === 'anonymous' || ofType('function', caller), "Pass (event) => … or 'anonymous'"],
    ['keyRequired', ofType('boolean', keyRequired), 'Pass true or false'],
    ['shouldStore', ofType('function', shouldStore), 'Pass (response) => response.statusCode < 500'],
    ['documentation', ofType('string', documentation), 'Pass the address of a page'],
  ];
  const broken = rules.find(([, holds]) => !holds);
  if (broken) throw new ConfigurationError(`httpHandler was given a wrong ${broken[0]}. ${broken[2]}.`);
}

// As the core does: what a client is told leaves out why, and that is for the log.
function warn(code: string, message: string): void {
  process.emitWarning(message, { type: 'IdempotencyWarning', code });
}
