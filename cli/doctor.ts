import { accountOf } from './doctor/account';
import { examine } from './doctor/examine';
import type { Finding } from './doctor/finding';
import type { Exit } from './exit-codes';
import { oneLine, tableOf } from './record-view';
import type { Session } from './session';
import { printJson } from './terminal';

export interface DoctorOptions {
  function?: string[];
  layer?: string;
  role?: string;
}

type Summary = Record<Finding['verdict'], number>;

const VERDICTS: Record<Finding['verdict'], string> = {
  passed: 'passed',
  failed: 'FAILED',
  advice: 'advice',
  unchecked: 'NOT CHECKED',
};

/** Checks the table and what uses it, and says what to do about each finding. Only reads. */
export async function doctor(session: Session, options: DoctorOptions): Promise<Exit> {
  const { settings, client, terminal } = session;
  const findings = await examine(accountOf(client), {
    tableName: settings.tableName,
    keyPrefix: settings.keyPrefix,
    functions: options.function ?? [],
    layerArn: options.layer,
    roleArn: options.role,
  });
  const summary = summaryOf(findings);
  if (settings.json) printJson(terminal, { summary, findings });
  else terminal.print(reportOf(findings, summary));
  return exitOf(summary);
}

export function summaryOf(findings: Finding[]): Summary {
  const summary: Summary = { passed: 0, failed: 0, advice: 0, unchecked: 0 };
  for (const { verdict } of findings) summary[verdict]++;
  return summary;
}

/** Advice is no failure: it may be as wanted. */
export function exitOf({ failed, unchecked }: Summary): Exit {
  if (failed > 0) return 'unhealthy';
  return unchecked > 0 ? 'unchecked' : 'done';
}

export function reportOf(findings: Finding[], summary: Summary): string {
  const rows = findings.map(({ verdict, check, subject, detail }) => [
    VERDICTS[verdict],
    check,
    oneLine(subject),
    oneLine(detail),
  ]);
  const cures = findings
    .filter(({ fix }) => fix !== undefined)
    .map(({ check, subject, fix, terraform }) =>
      [
        `${check} of ${oneLine(subject)}: ${oneLine(fix ?? '')}`,
        ...(terraform ? [terraform.replace(/^/gm, '    ')] : []),
      ].join('\n'),
    );
  const { passed, failed, advice, unchecked } = summary;
  return [
    tableOf(['verdict', 'check', 'of', 'finding'], rows),
    ...(cures.length > 0 ? ['\nWhat to do', ...cures] : []),
    `\n${passed} passed, ${failed} failed, ${advice} advice, ${unchecked} not checked`,
  ].join('\n');
}
