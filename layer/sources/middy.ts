import type { RunOnceOptions } from '../call';
import { runOnce as runOnceOfTheEnvironment } from '../create-run-once';
import { ConfigurationError } from '../errors';
import { refuseUnknown } from '../known-options';
import type { RemainingTime } from '../lock';
import type { Run } from '../run';
import type { RunOnce } from '../run-once';

type CallOptions = Pick<
  RunOnceOptions,
  'lockSeconds' | 'keepForSeconds' | 'whenInProgress' | 'waitSeconds' | 'rememberError' | 'onOrphan'
>;

/** How `runOnceMiddleware` guards a handler. The options of a call are those of {@link RunOnceOptions}. */
export interface MiddlewareOptions<E = unknown> extends CallOptions {
  /** Names the operation that the event asks for, not its delivery: `order-confirmation#1042`. */
  key: (event: E) => string;
  /** What makes the request what it is, as a JSON value: the same key with another one is a KeyReusedError. */
  fingerprint?: (event: E) => unknown;
  /** Default: the `runOnce` that is set up from the environment. */
  runOnce?: RunOnce;
}

/** What this middleware reads and writes of Middy's request. */
export interface MiddlewareRequest<E = unknown> {
  event: E;
  response: unknown;
  earlyResponse?: unknown;
  error: unknown;
}

/** A middleware as Middy takes it. */
export interface RunOnceMiddleware<E = unknown> {
  /** Claims the key, or answers with the stored result. */
  before(request: MiddlewareRequest<E>): Promise<unknown>;
  /** Completes with the response. */
  after(request: MiddlewareRequest<E>): Promise<void>;
  /** Releases, or completes with an error that is the outcome. */
  onError(request: MiddlewareRequest<E>): Promise<void>;
}

/** A call whose work is the handler: a promise that the phases after it settle. */
interface OpenCall {
  handler: Deferred<unknown>;
  outcome: Promise<unknown>;
}

const OPTIONS: (keyof MiddlewareOptions)[] = [
  'key',
  'fingerprint',
  'runOnce',
  'lockSeconds',
  'keepForSeconds',
  'whenInProgress',
  'waitSeconds',
  'rememberError',
  'onOrphan',
];

/**
 * `runOnce` around a handler of Middy (`@middy/core` 6 or later, which the layer does not bring): `before` claims the key
 * or answers with the stored result, `after` completes with the response, `onError` releases. The handler finds its
 * {@link Run} in `context.run`. The lock lasts as long as the invocation, unless `lockSeconds` says otherwise.
 *
 * Middlewares that can refuse or answer a request by themselves (validators, warm-up, error handlers) go before it: one
 * after it that ends Middy's chain with an answer of its own leaves the key locked until the lock ends. Middlewares
 * that shape the response (serialisers, headers) go after it: then what they make is what is stored, since Middy runs
 * no other middleware after a replay; where one of them throws, the key is released.
 *
 * When Middy gives up a handler shortly before the invocation's end, the handler may still be at work: its key stays
 * locked until the lock ends. A `timeoutEarlyResponse` that returns a response, in place of throwing Middy's own
 * TimeoutError, would have it stored as the handler's.
 *
 * @throws ConfigurationError for an unknown option or a wrong value, when it is made.
 * @returns a middleware that brings what `runOnce` throws, for instance StillInProgressError, to `onError`.
 * @example
 * export const handler = middy()
 *   .use(httpErrorHandler())
 *   .use(runOnceMiddleware({ key: (event: Charge) => keyOf('charge', event.orderId) }))
 *   .handler(async (event: Charge, context: Context & { run: Run }) =>
 *     charge(event, { idempotencyKey: context.run.idempotencyKey() }))
 * @see https://middy.js.org/docs/intro/early-interrupt
 */
export function runOnceMiddleware<E>(options: MiddlewareOptions<E>): RunOnceMiddleware<E> {
  check(options);
  const { key, fingerprint, runOnce = runOnceOfTheEnvironment, ...call } = options;
  // By request, and not in its `internal`, which Middy 6 shares between requests where its plugin brings one.
  const open = new WeakMap<object, OpenCall>();

  return {
    async before(request) {
      const { event, context } = request as typeof request & { context: RemainingTime & { run?: Run } };
      const lock = call.lockSeconds === undefined ? { ...call, context } : call;
      const options = fingerprint ? { ...lock, fingerprint: fingerprint(event) } : lock;
      const handler = deferred<unknown>();
      const claimed = deferred<Run>();
      const outcome = runOnce(key(event), options, (run) => {
        claimed.resolve(run);
        return handler.promise;
      });
      const run = await Promise.race([claimed.promise, outcome.then(() => undefined)]);
      if (run) {
        context.run = run;
        open.set(request, { handler, outcome });
        return;
      }
      // Said in so many words: where the result is undefined, returning it means to go on.
      request.earlyResponse = await outcome;
      return request.earlyResponse;
    },

    async after(request) {
      const { handler, outcome } = open.get(request) as OpenCall;
      handler.resolve(request.response);
      request.response = await outcome;
    },

    async onError(request) {
      const call = open.get(request);
      // There is none where the claim failed, and after a timeout the handler may go on. A completed one stays so.
      if (!call || isTimeoutOfMiddy(request.error)) return;
      call.handler.reject(request.error);
      // The error that Middy has already.
      await call.outcome.catch(() => {});
    },
  };
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  const settle = {} as Omit<Deferred<T>, 'promise'>;
  const promise = new Promise<T>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return { promise, ...settle };
}

// An error of the same name also comes from `AbortSignal.timeout`, and then is the handler's own.
function isTimeoutOfMiddy(error: unknown): boolean {
  const { name, cause } = Object(error) as { name?: unknown; cause?: { package?: unknown } | null };
  return name === 'TimeoutError' && cause?.package === '@middy/core';
}

function check(options: MiddlewareOptions<never>): void {
  if (typeof options?.key !== 'function') {
    throw new ConfigurationError(
      "runOnceMiddleware needs a key, a function of the event. Pass { key: (event) => keyOf('charge', event.orderId) }.",
    );
  }
  // No heartbeat: it would go on for a handler whose end Middy does not tell.
  refuseUnknown('runOnceMiddleware', options, OPTIONS);
  const { fingerprint, runOnce } = options;
  for (const [name, value] of Object.entries({ fingerprint, runOnce })) {
    if (value === undefined || typeof value === 'function') continue;
    throw new ConfigurationError(
      `runOnceMiddleware was given a wrong ${name}: it is no function. Correct it.`,
    );
  }
}
