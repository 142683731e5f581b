import { CommandError, type Exit } from './exit-codes';
import { findRecord } from './find';
import { type RemovalOptions, removeAsShown } from './removal';
import type { Session } from './session';

/** Deletes the record of what is done, so that it is done again when it is next asked for. */
export async function forget(session: Session, key: string, options: RemovalOptions): Promise<Exit> {
  const found = await findRecord(session, key);
  if (found.record.status === 'IN_PROGRESS') {
    throw new CommandError(
      'refused',
      `The operation '${key}' is not completed: there is no outcome to forget. Wait for it by run-once wait, or, if its run is dead, use: run-once release. Nothing was deleted.`,
    );
  }
  return removeAsShown(
    session,
    found,
    {
      done: 'forgotten',
      consequence:
        'The operation is done. Without this record it WILL RUN AGAIN with the next event of this key, a late duplicate included: what it does (a charge, a mail) is then done a second time. Its stored result is lost.',
    },
    options,
  );
}
