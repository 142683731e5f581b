import type { RemainingTime } from '../lock';
import { Malformed } from './malformed';
import { recordCalls } from './record-call';
import type { BatchOptions, RecordWork } from './record-options';
import { warnOfDrop, warnOfFailure } from './record-warning';
import type { TimeLeft } from './time-left';

/** A record, and what it is reported by. */
export interface Identified<R> {
  record: R;
  id: string;
}

/** How one invocation carries out records that can come again one by one. */
export function batchCalls<T, R, C extends RemainingTime>(
  parse: (record: R) => T,
  { onMalformed = 'fail', parse: _, concurrency: __, ...options }: BatchOptions<T, R>,
  work: RecordWork<T, R, C>,
  context: C,
  time: TimeLeft,
) {
  const carryOut = recordCalls(parse, options, work, context, time);

  async function settle({ record, id }: Identified<R>): Promise<void> {
    try {
      await carryOut(record);
    } catch (error) {
      if (!(error instanceof Malformed) || onMalformed === 'fail') throw error;
      if (onMalformed === 'drop') warnOfDrop(id, error);
      else await onMalformed(record, error.cause);
    }
  }

  /** Answers why the record must come again; undefined where it need not. Never rejects. */
  return async (identified: Identified<R>): Promise<{ why: unknown } | undefined> => {
    try {
      await settle(identified);
      return undefined;
    } catch (why) {
      warnOfFailure(identified.id, why);
      return { why };
    }
  };
}
