import fc from 'fast-check';
import { type Schedule, schedules } from './schedule';
import { type Faults, play, type Subject } from './world';

export interface Found {
  faults: Faults;
  /** The invariants that the smallest failing schedule violates; none if no schedule fails. */
  violations: string[];
  schedule?: Schedule;
  /** Schedules played until the first violation. */
  played: number;
}

/** Plays that many schedules of the seed, and shrinks the first one that violates an invariant. */
export async function hunt(subject: Subject, seed: number, numRuns: number): Promise<Found> {
  const faults: Faults = {};
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const violations = await play(schedule, subject, faults);
    return violations.length === 0;
  });
  const { counterexample, numRuns: played } = await fc.check(property, { seed, numRuns });
  if (counterexample === null) return { faults, violations: [], played };
  const [schedule] = counterexample;
  return { faults, violations: await play(schedule, subject), schedule, played };
}
