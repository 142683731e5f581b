import { ConfigurationError } from '../errors';
import type { RemainingTime } from '../lock';

// For the answer to reach Lambda, after the last record.
const TO_ANSWER_MILLISECONDS = 500;

/** An invocation's time, which its records share. */
export interface TimeLeft {
  /** Whether one more record can finish, if it takes no longer than the longest one so far. */
  forOneMore(): boolean;
  /** Begins to measure how long a record takes, until the function that it returns is called. */
  measure(): () => void;
}

/** @throws ConfigurationError for what is not Lambda's context. */
export function timeLeft(handler: string, context: RemainingTime): TimeLeft {
  if (typeof context?.getRemainingTimeInMillis !== 'function') {
    throw new ConfigurationError(
      `${handler} was given a context without getRemainingTimeInMillis. Pass the one that Lambda gives, as second argument; nothing was run.`,
    );
  }
  const remaining = () => context.getRemainingTimeInMillis();
  let longest = 0;
  return {
    forOneMore: () => remaining() >= longest + TO_ANSWER_MILLISECONDS,
    measure() {
      const before = remaining();
      return () => {
        longest = Math.max(longest, before - remaining());
      };
    },
  };
}
