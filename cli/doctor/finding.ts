import { explained } from '../failure';

/**
 * What a check has found. `advice` is a risk that may be wanted; `unchecked` is what could not be looked at, which is
 * never taken for passed.
 */
export interface Finding {
  /** Stable, for scripts: `table.ttl`. */
  check: string;
  /** The table, function, queue or role that it is about. */
  subject: string;
  verdict: 'passed' | 'failed' | 'advice' | 'unchecked';
  /** What is so. */
  detail: string;
  /** What to do about it; absent where nothing is to be done. */
  fix?: string;
  /** The line of Terraform that does it. */
  terraform?: string;
}

/** A finding's cure, for a check that has one only when it fails. */
export type Cure = Required<Pick<Finding, 'fix' | 'terraform'>>;

type Named = Pick<Finding, 'check' | 'subject'>;

export const passed = (named: Named, detail: string): Finding => ({ ...named, verdict: 'passed', detail });

export const failed = (named: Named, detail: string, cure: Cure): Finding => ({
  ...named,
  verdict: 'failed',
  detail,
  ...cure,
});

export const advice = (named: Named, detail: string, cure: Cure): Finding => ({
  ...named,
  verdict: 'advice',
  detail,
  ...cure,
});

export const unchecked = (named: Named, detail: string, fix: string): Finding => ({
  ...named,
  verdict: 'unchecked',
  detail,
  fix,
});

/**
 * Judges what AWS answers. Where it does not, for want of a right or of a connection, the check is not made, and says so.
 */
export async function asked<T>(
  named: Named,
  right: string,
  ask: () => Promise<T>,
  judge: (answer: T) => Finding[] | Promise<Finding[]>,
): Promise<Finding[]> {
  let answer: T;
  try {
    answer = await ask();
  } catch (error) {
    return [unchecked(named, `not checked: ${explained(error)}`, `Allow ${right}, and run it again.`)];
  }
  return judge(answer);
}
