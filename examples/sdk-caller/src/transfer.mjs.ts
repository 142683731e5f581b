/**
 * Carries a transfer out and answers its receipt. A caller's SDK that has waited long enough asks again, under another
 * request id, while the first invocation is still at work: the second one waits for the first one's answer.
 */
import type { Context } from 'aws-lambda';
import { keyOf, runOnce } from '/opt/nodejs/index.mjs';
import { book, type Receipt, type Transfer } from './bank';

export const handler = (transfer: Transfer, context: Context): Promise<Receipt> =>
  runOnce(
    keyOf('transfer', transfer.id),
    { context, fingerprint: transfer.amount, whenInProgress: 'wait' },
    () => book(transfer),
  );
