/** The time, and what waits for it. The tests' clocks also stand still, jump and differ from one another. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back after that many milliseconds, unless cancelled by the function it returns. */
  after(milliseconds: number, callback: () => void): () => void;
  /** From 0 up to 1: spreads the retries of callers that have failed together. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

export function sleep(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

/** What is left until a moment in epoch milliseconds; never negative. */
export function until(clock: Clock, moment: number): number {
  return Math.max(0, moment - clock.now());
}
