import type { IdempotencyRecord } from '../layer/record';
import type { Exit } from './exit-codes';
import { withProgress } from './progress';
import { tableOf } from './record-view';
import { roughCount, scan, unitsOf } from './scan';
import type { Session } from './session';
import { ageOf, STATES, type State, stateOf } from './state';
import { printJson } from './terminal';

export interface StatsOptions {
  readUnits: string;
}

// Upper bounds, in seconds: about as long as a function runs, as people notice, as results are kept by default.
const AGES = { under15m: 15 * 60, under1h: 3600, under1d: 86_400, older: Number.POSITIVE_INFINITY } as const;

/** Ages of a state's records. Those of a run that may be at work are not known: they are in the total only. */
type Count = Record<keyof typeof AGES | 'total', number>;

/** What `--json` prints. */
export interface Stats {
  table: string;
  keyPrefix: string;
  records: number;
  states: Record<State, Count>;
  /** Records that were claimed more than once: an earlier run died, or a retention ended. */
  claimedAgain: number;
  /** Completed records whose result could not be stored. */
  resultUnavailable: number;
  /** Records without an owner, as the classic form of the code writes them. */
  classic: number;
  /** Read units that the scan took. */
  readUnits: number;
}

/** Counts the records by state and age. Reads the whole table. */
export async function stats(session: Session, options: StatsOptions): Promise<Exit> {
  const { terminal, settings, client, clock } = session;
  const { tableName, keyPrefix, keepForSeconds } = settings;
  const request = { tableName, prefix: keyPrefix, unitsPerSecond: unitsOf(options.readUnits) };
  const pages = withProgress(scan(client, request, clock), () => roughCount(client, tableName), session);
  const counted = emptyStats(tableName, keyPrefix);
  for await (const { records, units } of pages) {
    counted.readUnits += units;
    for (const { record } of records) count(counted, record, keepForSeconds, clock.now());
  }
  if (settings.json) printJson(terminal, counted);
  else printStats(session, counted);
  return 'done';
}

export function emptyStats(table: string, keyPrefix: string): Stats {
  const none = (): Count => ({ under15m: 0, under1h: 0, under1d: 0, older: 0, total: 0 });
  return {
    table,
    keyPrefix,
    records: 0,
    states: { inProgress: none(), lockEnded: none(), completed: none(), expired: none() },
    claimedAgain: 0,
    resultUnavailable: 0,
    classic: 0,
    readUnits: 0,
  };
}

export function count(stats: Stats, record: IdempotencyRecord, keepForSeconds: number, now: number): void {
  stats.records++;
  const counts = stats.states[stateOf(record, now)];
  counts.total++;
  const age = ageOf(record, keepForSeconds, now);
  if (age !== undefined) counts[bucketOf(age)]++;
  if (record.attempt > 1) stats.claimedAgain++;
  if (record.resultUnavailable !== undefined) stats.resultUnavailable++;
  if (record.owner === undefined) stats.classic++;
}

function bucketOf(age: number): keyof typeof AGES {
  const [name] = Object.entries(AGES).find(([, bound]) => age < bound) as [keyof typeof AGES, number];
  return name;
}

function printStats({ terminal }: Session, stats: Stats): void {
  const rows = Object.entries(stats.states).map(([state, { under15m, under1h, under1d, older, total }]) => {
    const ages = state === 'inProgress' ? ['', '', '', ''] : [under15m, under1h, under1d, older].map(String);
    return [STATES[state as State], ...ages, String(total)];
  });
  terminal.print(tableOf(['state', '< 15 min', '< 1 h', '< 1 d', 'older', 'total'], rows));
  terminal.print(
    [
      `\n${stats.records} records in table ${stats.table}${stats.keyPrefix === '' ? '' : `, keys ${stats.keyPrefix}…`}`,
      `${stats.claimedAgain} claimed more than once`,
      `${stats.resultUnavailable} without the result they should have`,
      `${stats.classic} of the classic form`,
    ].join('\n'),
  );
  terminal.note(`${stats.readUnits} read units`);
}
