import { sleep, until } from '../layer/clock';
import { lockEndOf } from '../layer/record';
import { inWords, secondsOf } from './duration';
import { CommandError, type Exit } from './exit-codes';
import { type Found, findRecord } from './find';
import { sheetOf, viewOf } from './record-view';
import type { Session } from './session';
import { stateOf } from './state';
import { printJson } from './terminal';

export interface WaitOptions {
  timeout: string;
}

const FIRST_POLL_MILLISECONDS = 500;
const LONGEST_POLL_MILLISECONDS = 10_000;

/** Waits until a key is no longer in progress, and says by its exit code what has become of it. */
export async function wait(session: Session, key: string, options: WaitOptions): Promise<Exit> {
  const { terminal, settings, clock } = session;
  const seconds = secondsOf(options.timeout);
  const deadline = clock.now() + seconds * 1000;
  for (let pause = FIRST_POLL_MILLISECONDS; ; pause = Math.min(pause * 1.5, LONGEST_POLL_MILLISECONDS)) {
    const found = await findRecord(session, key);
    const now = clock.now();
    const state = stateOf(found.record, now);
    const left = until(clock, deadline);
    if (state !== 'inProgress' || left === 0) {
      const view = viewOf(found.pk, found.record, settings, now);
      if (settings.json) printJson(terminal, view);
      else terminal.print(sheetOf(view, now));
      if (state === 'lockEnded') throw dead();
      if (state === 'inProgress') throw late(seconds, found, now);
      return 'done';
    }
    // The lock's end is known, and is what most who wait are waiting for.
    const ended = (lockEndOf(found.record) + 1) * 1000 - now;
    await sleep(clock, Math.min(left, pause, Math.max(ended, FIRST_POLL_MILLISECONDS)));
  }
}

function dead(): CommandError {
  return new CommandError(
    'lockEnded',
    'The run has died: its lock has ended without a completion. The next call of this key takes it over; run-once release frees it at once.',
  );
}

function late(seconds: number, { record }: Found, now: number): CommandError {
  const left = inWords(lockEndOf(record) - now / 1000);
  return new CommandError(
    'timedOut',
    `Still in progress after ${inWords(seconds)}; its lock ends in ${left}.`,
  );
}
