import { setTimeout as sleep } from 'node:timers/promises';
import type { Accident } from './order';

const accidents: Record<Accident, () => Promise<void> | never> = {
  /** A slow partner: 2.5 seconds in which a duplicate can arrive. */
  slow: () => sleep(2_500),
  /** The function dies. Nothing after this line happens, least of all the side effect. */
  crash: () => process.exit(1),
  /** The partner never answers, and the function's timeout ends the function. */
  hang: () => sleep(24 * 60 * 60 * 1_000),
};

/** What can go wrong, on purpose: only for the first attempt, and only where the function is deployed to rehearse. */
export async function rehearse(accident: Accident | undefined, attempt: number): Promise<void> {
  if (process.env.REHEARSE_ACCIDENTS !== 'true' || accident === undefined || attempt > 1) return;
  await accidents[accident]();
}
