import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { Account } from './account';
import type { Expected } from './check-function';
import { checkLayerRights, checkOperatorRights } from './check-rights';
import { checkTable } from './check-table';
import { examineFunction } from './examine-function';
import { asked, type Finding } from './finding';
import { principalOf } from './principal';

export interface Patient extends Expected {
  functions: string[];
  /** A role whose rights to check in place of the functions' own. */
  roleArn?: string | undefined;
}

/** All checks: of the table, of whoever uses it, and of what brings events to the functions. */
export async function examine(account: Account, patient: Patient): Promise<Finding[]> {
  const { tableName, roleArn, functions, keyPrefix } = patient;
  const { findings, table } = await checkTable(account, tableName);
  if (roleArn !== undefined) findings.push(...(await checkLayerRights(account, roleArn, table, keyPrefix)));
  else if (functions.length === 0) findings.push(...(await callersRights(account, table)));
  for (const name of functions) findings.push(...(await examineFunction(account, patient, table, name)));
  return findings;
}

function callersRights(account: Account, table: TableDescription | undefined): Promise<Finding[]> {
  return asked(
    { check: 'rights.table', subject: 'caller' },
    'sts:GetCallerIdentity and iam:GetRole, or give --role',
    () => principalOf(account),
    (arn) => checkOperatorRights(account, arn, table),
  );
}
