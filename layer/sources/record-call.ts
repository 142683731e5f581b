import { runOnce as runOnceOfTheEnvironment } from '../create-run-once';
import { ConfigurationError, InvalidKeyError, KeyReusedError, ResultUnavailableError } from '../errors';
import type { RemainingTime } from '../lock';
import type { Run } from '../run';
import { Malformed } from './malformed';
import type { RecordOptions, RecordWork } from './record-options';
import type { TimeLeft } from './time-left';

/**
 * How one invocation carries its records out: reads a record, names its operation, runs it once. Equal keys are one
 * operation, and what becomes of its first record becomes of the others.
 *
 * @returns a function that answers the work's result; it throws {@link Malformed} for what no retry mends, and else what
 *   a retry may.
 */
export function recordCalls<T, R, C extends RemainingTime, A>(
  parse: (record: R) => T,
  options: Omit<RecordOptions<T, R>, 'concurrency'>,
  work: RecordWork<T, R, C, A>,
  context: C,
  time: TimeLeft,
): (record: R) => Promise<A | undefined> {
  const { key: keyOfRecord, fingerprint, runOnce = runOnceOfTheEnvironment, ...call } = options;
  const lock = call.lockSeconds === undefined ? { ...call, context } : call;
  const outcomes = new Map<string, Promise<A | undefined>>();

  function read(record: R) {
    try {
      const payload = settled('parse', parse(record));
      const key = settled('key', keyOfRecord(payload, record));
      const request = fingerprint && { fingerprint: fingerprint(payload, record) };
      return { record, payload, key, options: { ...lock, ...request } };
    } catch (error) {
      // That the handler is set up wrongly is no fault of the record.
      throw error instanceof ConfigurationError ? error : new Malformed(error);
    }
  }

  async function once({ record, payload, key, options }: ReturnType<typeof read>) {
    let over: (() => void) | undefined;
    try {
      return await runOnce(key, options, (run: Run) => {
        over = time.measure();
        return work(payload, run, { record, context });
      });
    } catch (error) {
      // What the work throws is the work's own, also where it is an error of this library: of a call within it.
      if (over) throw error;
      if (error instanceof InvalidKeyError) throw new Malformed(error);
      // The work is done, and nobody waits for its result here.
      if (error instanceof ResultUnavailableError) return undefined;
      throw error;
    } finally {
      over?.();
    }
  }

  return async (record) => {
    const call = read(record);
    const earlier = outcomes.get(call.key)?.catch(passOverAnotherRequest);
    const outcome = Promise.resolve(earlier).then(() => once(call));
    outcomes.set(call.key, outcome);
    return outcome;
  };
}

/**
 * A promise is a mistake of the handler's, not of a record, which might be dropped for it. What reads a record is
 * synchronous: a request that fails in passing would make the record a malformed one.
 */
function settled<V>(option: string, value: V): V {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  throw new ConfigurationError(
    `${option} returned a promise. Read the record synchronously, and leave to the work what has to be waited for; the work was not run.`,
  );
}

/** That the key was used for another request says nothing of this one. */
function passOverAnotherRequest(error: unknown): void {
  if (!(error instanceof KeyReusedError)) throw error;
}
