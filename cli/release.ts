import { CommandError, type Exit } from './exit-codes';
import { findRecord } from './find';
import { type RemovalOptions, removeAsShown } from './removal';
import type { Session } from './session';
import { stateOf } from './state';

/** Frees a key that a call holds, or held when it died, so that the next call of it runs. */
export async function release(session: Session, key: string, options: RemovalOptions): Promise<Exit> {
  const found = await findRecord(session, key);
  const state = stateOf(found.record, session.clock.now());
  if (found.record.status === 'COMPLETED') {
    throw new CommandError(
      'refused',
      `The operation '${key}' is ${state}, not in progress: there is no lock to release. If it is to run again, use: run-once forget. Nothing was deleted.`,
    );
  }
  return removeAsShown(
    session,
    found,
    {
      done: 'released',
      consequence:
        state === 'inProgress'
          ? 'Its lock has not ended: the call may still be at work, and the next call of this key would run beside it. Make sure that it is dead. What it has done already may then be done twice.'
          : 'Its run has died, and what it has done already is not known. The next call of this key runs, and may do it twice.',
    },
    options,
  );
}
