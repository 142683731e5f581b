import Table from 'cli-table3';
import { keyHash } from '../layer/observer';
import { type IdempotencyRecord, lockEndOf } from '../layer/record';
import { inWords } from './duration';
import type { Settings } from './settings';
import { ageOf, STATES, type State, stateOf } from './state';

/** A record as `--json` prints it. It has nothing of the result but whether there is one. */
export interface RecordView {
  /** As the function gives it to `runOnce`. */
  key: string;
  /** As it is stored, prefix included. */
  pk: string;
  /** As metrics and logs name it. */
  keyHash: string;
  status: IdempotencyRecord['status'];
  state: State;
  /** Epoch seconds. */
  expiresAt: number;
  /** Epoch seconds; null once completed. */
  lockEndsAt: number | null;
  /** Seconds since the completion, or since the lock ended; null while it lasts. */
  ageSeconds: number | null;
  attempt: number;
  /** Null in records of the classic form. */
  owner: string | null;
  /** `ERROR` where the outcome is an error. */
  outcome: string | null;
  /** Why there is no result though the work is done. */
  resultUnavailable: string | null;
}

export function viewOf(
  pk: string,
  record: IdempotencyRecord,
  { keyPrefix, keepForSeconds }: Settings,
  now: number,
): RecordView {
  return {
    key: pk.slice(keyPrefix.length),
    pk,
    keyHash: keyHash(pk),
    status: record.status,
    state: stateOf(record, now),
    expiresAt: record.expiresAt,
    lockEndsAt: record.status === 'IN_PROGRESS' ? lockEndOf(record) : null,
    ageSeconds: ageOf(record, keepForSeconds, now) ?? null,
    attempt: record.attempt,
    owner: record.owner ?? null,
    outcome: record.outcome ?? null,
    resultUnavailable: record.resultUnavailable ?? null,
  };
}

/** One record, a line an attribute. */
export function sheetOf(view: RecordView, now: number): string {
  const rows: [string, string][] = [
    ['key', view.key],
    ...(view.pk === view.key ? [] : ([['stored as', view.pk]] as [string, string][])),
    ['key hash', view.keyHash],
    ['state', STATES[view.state]],
    ...(view.lockEndsAt === null
      ? ([['kept until', moment(view.expiresAt, now)]] as [string, string][])
      : ([[view.state === 'lockEnded' ? 'lock ended' : 'lock ends', moment(view.lockEndsAt, now)]] as [
          string,
          string,
        ][])),
    ['attempt', String(view.attempt)],
    ['owner', view.owner ?? 'none (a record of the classic form)'],
    ...(view.outcome === null ? [] : ([['outcome', view.outcome]] as [string, string][])),
    ...(view.resultUnavailable === null
      ? []
      : ([['result unavailable', view.resultUnavailable]] as [string, string][])),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${oneLine(value)}`).join('\n');
}

/** Many records, a line each. */
export function listOf(views: RecordView[], now: number): string {
  return tableOf(
    ['key', 'state', 'ends', 'age', 'attempt', 'owner'],
    views.map((view) => [
      oneLine(view.key),
      STATES[view.state],
      moment(view.lockEndsAt ?? view.expiresAt, now),
      view.ageSeconds === null ? '' : inWords(view.ageSeconds),
      String(view.attempt),
      view.owner ?? 'none',
    ]),
  );
}

/** Without lines or colours, so that it can be copied and cut. */
export function tableOf(head: string[], rows: string[][]): string {
  const table = new Table({
    head,
    chars: Object.fromEntries(BORDERS.map((border) => [border, ''])) as never,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  table.push(...rows);
  return table.toString().replace(/ +$/gm, '');
}

const BORDERS = [
  ...['top', 'top-mid', 'top-left', 'top-right'],
  ...['bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
  ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
];

function moment(epochSeconds: number, now: number): string {
  const away = epochSeconds - Math.floor(now / 1000);
  const words = away >= 0 ? `in ${inWords(away)}` : `${inWords(away)} ago`;
  return `${isoTime(epochSeconds)} (${words})`;
}

function isoTime(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000);
  // Whatever else stands in the table's items, it is shown as it is.
  return Number.isNaN(date.getTime()) ? String(epochSeconds) : date.toISOString().replace('.000', '');
}

/** Keys come from events: what a terminal would obey is shown escaped. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return `\\u{${code.toString(16)}}`;
  });
}
