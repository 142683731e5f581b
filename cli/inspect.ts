import { inspect as inspectValue } from 'node:util';
import { isPlainJson } from '../layer/plain-json';
import type { IdempotencyRecord } from '../layer/record';
import { decodeResult } from '../layer/result';
import type { Exit } from './exit-codes';
import { findRecord } from './find';
import { sheetOf, viewOf } from './record-view';
import type { Session } from './session';
import { printJson } from './terminal';

/** Shows the record of a key; its result only where it is asked for. */
export async function inspect(session: Session, key: string, options: { showResult?: true }): Promise<Exit> {
  const { terminal, settings, clock } = session;
  const { pk, record } = await findRecord(session, key);
  const now = clock.now();
  const view = viewOf(pk, record, settings, now);
  const shown = options.showResult ? await resultOf(record) : undefined;
  if (settings.json) {
    printJson(terminal, { ...view, ...shown });
  } else {
    terminal.print(sheetOf(view, now));
    if (shown) terminal.print(`\nresult\n${shown.resultText ?? JSON.stringify(shown.result, null, 2)}`);
  }
  return 'done';
}

/** `result` where JSON can hold it, else `resultText`: the value as Node.js shows it, or why there is none. */
async function resultOf(record: IdempotencyRecord): Promise<{ result?: unknown; resultText?: string }> {
  if (record.status !== 'COMPLETED') return { resultText: 'none yet' };
  if (record.resultUnavailable !== undefined) {
    return { resultText: `not stored: ${record.resultUnavailable}` };
  }
  if (record.codec !== undefined && record.codec !== 'devalue') {
    return { resultText: `encoded by the codec '${record.codec}' of the function, which alone can read it` };
  }
  try {
    const value = record.owner === undefined ? record.classicResult : await decodeResult(record);
    return isPlainJson(value)
      ? { result: value }
      : { resultText: inspectValue(value, { depth: null, maxArrayLength: null, maxStringLength: null }) };
  } catch (error) {
    return { resultText: `cannot be read: ${(error as Error).message}` };
  }
}
