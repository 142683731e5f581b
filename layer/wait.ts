import type { Call } from './call';
import { type Clock, sleep, until } from './clock';
import { backoff } from './patience';
import { hasEnded, lockEndOf } from './record';
import type { Store } from './store';

// Polls grow by half each time: few for a long wait, and the last one is at most a third of the wait.
const GROWTH = 1.5;

/**
 * Waits while another call holds the key: until its record is completed, gone, or past its lock. Polls by reads, which
 * cost a fraction of a refused write.
 *
 * @param attempt That of the call that holds the key.
 * @returns Whether the key is worth another claim; `false` once the call has waited as long as it may.
 */
export async function waitForChange(
  store: Store,
  clock: Clock,
  call: Call,
  attempt: number,
): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const left = until(clock, call.waitUntil);
    if (left === 0) {
      if (tries > 0) call.tell('waited', attempt);
      return false;
    }
    await sleep(clock, Math.min(left, backoff(clock, tries, GROWTH)));
    const record = await store.find(call.pk, call.deadline());
    if (record?.status !== 'IN_PROGRESS' || hasEnded(lockEndOf(record), clock.now())) {
      call.tell('waited', attempt);
      return true;
    }
  }
}
