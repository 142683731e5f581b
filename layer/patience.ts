import { type Clock, sleep, until } from './clock';
import { StoreError } from './errors';

const FIRST_DELAY_MILLISECONDS = 50;

// Long enough for a table to recover, short enough that little of the time left goes unused.
const LONGEST_DELAY_MILLISECONDS = 1000;

/** Half to all of a delay that grows with each try, so that callers which fail together do not return together. */
export function backoff(clock: Clock, tries: number, growth: number): number {
  const delay = FIRST_DELAY_MILLISECONDS * growth ** tries;
  return delay * (0.5 + clock.random() / 2);
}

/**
 * The step's answer, or an error at the deadline: an invocation that Lambda ends in the middle of a request leaves
 * nothing in the log to say why. The signal then also ends what the step would send yet.
 */
export async function inTime<T>(
  clock: Clock,
  deadline: number,
  step: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  if (deadline === Number.POSITIVE_INFINITY) return step();
  const controller = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(until(clock, deadline), () => {
      reject(Object.assign(new Error('The deadline has passed.'), { name: 'DeadlineExceeded' }));
      controller.abort();
    });
  });
  try {
    return await Promise.race([step(controller.signal), late]);
  } finally {
    cancel();
  }
}

/** Tries the step again while it fails for a passing reason and there is time left. */
export async function patiently<T>(clock: Clock, deadline: number, step: () => Promise<T>): Promise<T> {
  let passing: unknown;
  for (let tries = 0; ; tries++) {
    try {
      return await step();
    } catch (error) {
      // That time was up says less than what it was spent on.
      if (passing !== undefined && until(clock, deadline) === 0) throw passing;
      const delay = Math.min(backoff(clock, tries, 2), LONGEST_DELAY_MILLISECONDS);
      if (!(error instanceof StoreError && error.retryable) || delay >= until(clock, deadline)) throw error;
      passing = error;
      await sleep(clock, delay);
    }
  }
}
