import { CommandError, type Exit } from './exit-codes';
import type { Found } from './find';
import { sheetOf, viewOf } from './record-view';
import type { Session } from './session';
import { STATES } from './state';
import { printJson } from './terminal';

export interface RemovalOptions {
  yes?: true;
}

export interface RemovalPlan {
  /** `released` and the like: what has happened then. */
  done: 'released' | 'forgotten';
  /** What it means, for whoever answers the question. */
  consequence: string;
}

/** Shows the record, says what its deletion means, asks, and deletes it if it still is what was shown. */
export async function removeAsShown(
  session: Session,
  { pk, record }: Found,
  { done, consequence }: RemovalPlan,
  { yes }: RemovalOptions,
): Promise<Exit> {
  const { terminal, settings, records, clock } = session;
  const now = clock.now();
  const view = viewOf(pk, record, settings, now);
  // With --json, outputs are for a program, unless somebody is to be asked.
  if (!settings.json || (terminal.interactive && !yes)) {
    const show = settings.json ? terminal.note : terminal.print;
    show(sheetOf(view, now));
    show(`\n${consequence}`);
  }

  if (!yes) {
    if (!terminal.interactive) {
      throw new CommandError(
        'usage',
        'There is nobody to ask: standard input is no terminal. Give --yes to do it without a question; nothing was deleted.',
      );
    }
    if (!(await terminal.confirm(`Delete this record?`))) {
      throw new CommandError('declined', 'Nothing was deleted.');
    }
  }

  const removal = await records.remove(pk, record, view.state === 'lockEnded');
  if (removal.outcome === 'changed') {
    const state = STATES[viewOf(pk, removal.record, settings, clock.now()).state];
    throw new CommandError(
      'refused',
      `The record has changed since it was shown: it is now ${state}, attempt ${removal.record.attempt}, owner ${removal.record.owner ?? 'none'}. Nothing was deleted. Look at it again: run-once inspect.`,
    );
  }
  if (settings.json)
    printJson(terminal, { outcome: removal.outcome === 'gone' ? 'gone' : done, record: view });
  else if (removal.outcome === 'gone') terminal.print('The record was gone already.');
  else terminal.print(`The record is ${done}.`);
  return 'done';
}
