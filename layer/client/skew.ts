import type { HttpResponse } from '@smithy/core/protocols';

// A signature may be five minutes off. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
const TOLERATED_MILLISECONDS = 4 * 60_000;

/** The time at AWS, as far as its answers show that this machine's clock is wrong. */
export interface Skew {
  now(): Date;
  /** The answer; or its error, which the SDK's retries take for a passing one if the clock was the reason. */
  learn<T>(response: HttpResponse, answer: Promise<T>, signedAt: Date): Promise<T>;
}

export function createSkew(): Skew {
  let milliseconds = 0;
  return {
    now: () => new Date(Date.now() + milliseconds),
    learn(response, answer, signedAt) {
      const date = Date.parse(response.headers.date ?? '');
      // Of several requests at once all were signed before the first answer has put the clock right.
      const wrong = Math.abs(date - signedAt.getTime()) > TOLERATED_MILLISECONDS;
      if (wrong) milliseconds = date - Date.now();
      return answer.catch((error) => {
        error.$metadata.clockSkewCorrected = wrong;
        throw error;
      });
    },
  };
}
