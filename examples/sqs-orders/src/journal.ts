export type Outcome = 'executed' | 'replayed' | 'inProgress' | 'failed';

/** What a function did, one entry a fact. `started` is told apart from `executed`, since a run can die in between. */
export type Entry =
  | { received: number }
  | { started: string; attempt: number }
  | { outcome: Outcome; message: string };

/** Writes one line of JSON to the function's log, to be counted: identifiers, never a payload. */
export function journal(entry: Entry): void {
  console.log(JSON.stringify(entry));
}
