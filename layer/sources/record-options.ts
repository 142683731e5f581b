import type { RunOnceOptions } from '../call';
import { ConfigurationError } from '../errors';
import { refuseUnknown } from '../known-options';
import type { Run } from '../run';
import type { RunOnce } from '../run-once';

export type CallOptions = Pick<
  RunOnceOptions,
  'lockSeconds' | 'keepForSeconds' | 'whenInProgress' | 'waitSeconds' | 'heartbeat' | 'onOrphan'
>;

/** How each record of an event is guarded. The options of a call are those of {@link RunOnceOptions}. */
export interface RecordOptions<T, R> extends CallOptions {
  /** Names the operation that the record asks for, not its delivery: `keyOf('order-confirmation', order.id)`. */
  key: (payload: T, record: R) => string;
  /** What makes the request what it is, as a JSON value: the same key with another one is a KeyReusedError. */
  fingerprint?: (payload: T, record: R) => unknown;
  /** Default: the `runOnce` that is set up from the environment. */
  runOnce?: RunOnce;
  /** How many records may be under way at the same time. Default: 10. */
  concurrency?: number;
}

/** How the records of a batch are guarded that can come again one by one. */
export interface BatchOptions<T, R> extends RecordOptions<T, R> {
  /** Reads what a record carries, synchronously. Default: as JSON. */
  parse?: (record: R) => T;
  /**
   * What becomes of a record that no retry mends, because `parse`, `key` or `fingerprint` throws, or the key is none. It
   * is returned as failed (`fail`, the default), taken for done (`drop`), or given to a function: done once that has
   * returned, failed if it throws.
   */
  onMalformed?: 'fail' | 'drop' | ((record: R, error: unknown) => unknown);
}

/** What a record is to be done with: of its payload, the run's handle, and the rest of what the handler was given. */
export type RecordWork<T, R, C, A = unknown> = (
  payload: T,
  run: Run,
  delivery: Delivery<R, C>,
) => Promise<A> | A;

/** How a payload has come. */
export interface Delivery<R, C> {
  /** The record as Lambda gave it. */
  record: R;
  /** Lambda's context. */
  context: C;
}

/** A partial batch response: what it names comes again, and nothing else. */
export interface BatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

const CALL_OPTIONS: (keyof CallOptions)[] = [
  'lockSeconds',
  'keepForSeconds',
  'whenInProgress',
  'waitSeconds',
  'heartbeat',
  'onOrphan',
];

export const RECORD_OPTIONS: (keyof RecordOptions<never, never>)[] = [
  'key',
  'fingerprint',
  'runOnce',
  'concurrency',
  ...CALL_OPTIONS,
];

export const BATCH_OPTIONS: (keyof BatchOptions<never, never>)[] = [
  ...RECORD_OPTIONS,
  'parse',
  'onMalformed',
];

/** @throws ConfigurationError for an unknown option or a wrong value, when the handler is made. */
export function checkOptions(
  handler: string,
  options: RecordOptions<never, never> & { changeVisibility?: unknown },
  known: readonly string[],
  work: unknown,
): void {
  if (typeof options?.key !== 'function') {
    throw new ConfigurationError(
      `${handler} needs a key, a function of what a record asks for. Pass { key: (order) => keyOf('charge', order.id) }.`,
    );
  }
  refuseUnknown(handler, options, known);
  const { fingerprint, runOnce, concurrency, parse, onMalformed, changeVisibility } = options as BatchOptions<
    never,
    never
  > & { changeVisibility?: unknown };
  const isFunction = (value: unknown) => value === undefined || typeof value === 'function';
  const rules: [name: string, holds: boolean, fix: string][] = [
    ['work', typeof work === 'function', 'Pass (order, run) => … as the second argument'],
    ['fingerprint', isFunction(fingerprint), 'Pass a function that returns a JSON value'],
    ['runOnce', isFunction(runOnce), 'Pass what createRunOnce returns'],
    [
      'concurrency',
      concurrency === undefined || (Number.isInteger(concurrency) && concurrency >= 1),
      'Pass a whole number of at least 1',
    ],
    ['parse', isFunction(parse), 'Pass (record) => …'],
    [
      'onMalformed',
      onMalformed === 'fail' || onMalformed === 'drop' || isFunction(onMalformed),
      "Pass 'fail', 'drop' or (record, error) => …",
    ],
    ['changeVisibility', isFunction(changeVisibility), 'Pass (record, seconds) => …'],
  ];
  const broken = rules.find(([, holds]) => !holds);
  if (broken) throw new ConfigurationError(`${handler} was given a wrong ${broken[0]}. ${broken[2]}.`);
}
