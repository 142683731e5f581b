import { keyHash } from '../layer/observer';
import { secondsOf } from './duration';
import { CommandError, type Exit } from './exit-codes';
import { withProgress } from './progress';
import { listOf, type RecordView, viewOf } from './record-view';
import { roughCount, scan, unitsOf } from './scan';
import type { Session } from './session';
import { printJson } from './terminal';

// Records of one printed table, so that a large one is shown as it is read, in little memory.
const TABLE_ROWS = 500;

export interface ListOptions {
  status?: 'in-progress' | 'completed';
  olderThan?: string;
  prefix?: string;
  hash?: string;
  readUnits: string;
}

/** Lists records by what they have in common, or the one that a log line names by its hash. */
export async function list(session: Session, options: ListOptions): Promise<Exit> {
  const { terminal, settings, client, clock } = session;
  const matches = matcherOf(options);
  const request = {
    tableName: settings.tableName,
    prefix: settings.keyPrefix + (options.prefix ?? ''),
    unitsPerSecond: unitsOf(options.readUnits),
  };
  const pages = withProgress(
    scan(client, request, clock),
    () => roughCount(client, settings.tableName),
    session,
  );
  let found: RecordView[] = [];
  let count = 0;
  for await (const { records } of pages) {
    for (const { pk, record } of records) {
      if (options.hash !== undefined && keyHash(pk) !== options.hash) continue;
      const view = viewOf(pk, record, settings, clock.now());
      if (!matches(view)) continue;
      count++;
      // Lines go out as they come; a table is as wide as its widest of some hundred records.
      if (settings.json) printJson(terminal, view);
      else found.push(view);
      if (found.length === TABLE_ROWS) {
        terminal.print(listOf(found, clock.now()));
        found = [];
      }
    }
    if (options.hash !== undefined && count > 0) break;
  }
  if (found.length > 0) terminal.print(listOf(found, clock.now()));
  if (count === 0 && options.hash !== undefined) throw unknownHash(options.hash, request.prefix);
  if (!settings.json) terminal.note(count === 1 ? '1 record' : `${count} records`);
  return 'done';
}

function matcherOf({ status, olderThan, hash }: ListOptions): (view: RecordView) => boolean {
  if (hash !== undefined && !/^[0-9a-f]{16}$/.test(hash)) {
    throw new CommandError(
      'usage',
      `A key's hash is 16 hexadecimal digits in lower case, but it is '${hash}'. Copy keyHash from the log line.`,
    );
  }
  const seconds = olderThan === undefined ? undefined : secondsOf(olderThan);
  const wanted = status && ({ 'in-progress': 'IN_PROGRESS', completed: 'COMPLETED' } as const)[status];
  return (view) =>
    (wanted === undefined || view.status === wanted) &&
    (seconds === undefined || (view.ageSeconds !== null && view.ageSeconds > seconds));
}

function unknownHash(hash: string, prefix: string): CommandError {
  return new CommandError(
    'notFound',
    `No record's key has the hash ${hash}${prefix === '' ? '' : ` among those that begin with '${prefix}'`}: its retention may be over, it was released, or it is in another table${prefix === '' ? '' : " or under another prefix: give --key-prefix ''"}.`,
  );
}
