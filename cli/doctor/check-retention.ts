import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { wholeRetentionSeconds } from '../../layer/retention';
import { inWords } from '../duration';
import { type Finding, failed, passed, unchecked } from './finding';

/** What a source may bring again after its first delivery. */
export interface Redelivery {
  /** `an event`, `a message`. */
  what: string;
  /** Seconds. */
  longest: number;
  fix: string;
  terraform: string;
}

/** Whether results are kept for as long as an event may come again; `keepFor` is not known where it is not shown. */
export function checkRetention(
  named: Pick<Finding, 'check' | 'subject'>,
  { what, longest, fix, terraform }: Redelivery,
  keepFor: number | undefined,
): Finding {
  const comes = `${what} may come again for ${inWords(longest)}`;
  if (keepFor === undefined) {
    return unchecked(
      named,
      `not checked: ${comes}, but for how long results are kept is not known`,
      'See to it that the environment of the function can be read.',
    );
  }
  if (longest <= keepFor) return passed(named, `${comes}, and results are kept for ${inWords(keepFor)}`);
  const detail = `${comes}, but results are kept for ${inWords(keepFor)}: a later one runs again`;
  return failed(named, detail, { fix, terraform });
}

const DAY = 24 * 60 * 60;

/** Seconds for which the function keeps results; the layer's default where its variable is missing or wrong. */
export function retentionOf({ Environment }: FunctionConfiguration): number | undefined {
  if (Environment?.Error) return undefined;
  try {
    return wholeRetentionSeconds(Environment?.Variables?.IDEMPOTENCY_KEEP_FOR_SECONDS ?? DAY);
  } catch {
    return DAY;
  }
}
