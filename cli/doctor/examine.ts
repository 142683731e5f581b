import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { EventSourceMappingConfiguration, FunctionConfiguration } from '@aws-sdk/client-lambda';
import type { Account } from './account';
import { checkAsync } from './check-async';
import { checkFunction, type Expected, retentionOf } from './check-function';
import { checkMapping } from './check-mapping';
import { checkQueue } from './check-queue';
import {
  checkSourceRights,
  checkTableRights,
  LAYER_ACTIONS,
  OPERATOR_ACTIONS,
  principalOf,
} from './check-rights';
import { checkStream } from './check-stream';
import { checkTable } from './check-table';
import { asked, type Finding, failed, unchecked } from './finding';

export interface Patient extends Expected {
  functions: string[];
  /** A role whose rights to check. */
  roleArn?: string | undefined;
}

/** All checks: of the table, of whoever uses it, and of what brings events to the functions. */
export async function examine(account: Account, patient: Patient): Promise<Finding[]> {
  const { findings, table } = await checkTable(account, patient.tableName);
  const { roleArn, functions } = patient;
  if (roleArn !== undefined) {
    findings.push(...(await tableRights(account, patient, table, roleArn)));
  } else if (functions.length === 0) {
    findings.push(...(await callersRights(account, patient, table)));
  }
  for (const name of functions) findings.push(...(await examineFunction(account, patient, table, name)));
  return findings;
}

async function callersRights(
  account: Account,
  { keyPrefix }: Patient,
  table: TableDescription | undefined,
): Promise<Finding[]> {
  const named = { check: 'rights.table', subject: 'caller' };
  if (table === undefined) return [withoutTable(named)];
  return asked(
    named,
    'sts:GetCallerIdentity and iam:GetRole, or give --role',
    () => principalOf(account),
    (arn) => checkTableRights(account, arn, table, OPERATOR_ACTIONS, keyPrefix),
  );
}

async function tableRights(
  account: Account,
  { keyPrefix }: Patient,
  table: TableDescription | undefined,
  roleArn: string,
): Promise<Finding[]> {
  if (table === undefined) return [withoutTable({ check: 'rights.table', subject: roleArn })];
  return checkTableRights(account, roleArn, table, LAYER_ACTIONS, keyPrefix);
}

function withoutTable(named: Pick<Finding, 'check' | 'subject'>): Finding {
  return unchecked(named, 'not checked: the table is not known', 'See to the table first.');
}

async function examineFunction(
  account: Account,
  patient: Patient,
  table: TableDescription | undefined,
  name: string,
): Promise<Finding[]> {
  const named = { check: 'function.exists', subject: name };
  return asked(
    named,
    'lambda:GetFunctionConfiguration',
    () => account.functionConfiguration(name),
    async (config) => {
      if (config === undefined) {
        return [
          failed(named, 'there is no such function in this region and account', {
            fix: 'Check the name, AWS_REGION and AWS_PROFILE.',
            terraform: `function_name = "${name}"`,
          }),
        ];
      }
      const ownPrefix = config.Environment?.Variables?.IDEMPOTENCY_KEY_PREFIX ?? patient.keyPrefix;
      const rights =
        patient.roleArn === undefined
          ? await tableRights(account, { ...patient, keyPrefix: ownPrefix }, table, config.Role ?? '')
          : [];
      return [
        ...checkFunction(name, config, patient),
        ...rights,
        ...(await asyncSettings(account, name, config)),
        ...(await sources(account, name, config)),
      ];
    },
  );
}

function asyncSettings(account: Account, name: string, config: FunctionConfiguration): Promise<Finding[]> {
  return asked(
    { check: 'async.retries', subject: name },
    'lambda:GetFunctionEventInvokeConfig',
    () => account.asyncSettings(name),
    (settings) => checkAsync(name, config, settings),
  );
}

function sources(account: Account, name: string, config: FunctionConfiguration): Promise<Finding[]> {
  return asked(
    { check: 'mapping.partial_responses', subject: name },
    'lambda:ListEventSourceMappings',
    () => account.mappings(name),
    async (mappings) => {
      const findings: Finding[] = [];
      for (const mapping of mappings) findings.push(...(await source(account, config, mapping)));
      return findings;
    },
  );
}

async function source(
  account: Account,
  config: FunctionConfiguration,
  mapping: EventSourceMappingConfiguration,
): Promise<Finding[]> {
  const { EventSourceArn: arn = '' } = mapping;
  const keepFor = retentionOf(config);
  const rights = () => checkSourceRights(account, config.Role ?? '', arn);
  switch (arn.split(':')[2]) {
    case 'sqs':
      return [
        ...checkMapping(mapping),
        ...(await asked(
          { check: 'queue.visibility_timeout', subject: arn },
          'sqs:GetQueueUrl and sqs:GetQueueAttributes',
          () => account.queueAttributes(arn),
          (attributes) => checkQueue(mapping, attributes, { timeout: config.Timeout ?? 3, keepFor }),
        )),
        ...(await rights()),
      ];
    case 'kinesis':
    case 'dynamodb':
      return [...checkMapping(mapping), ...checkStream(mapping, keepFor), ...(await rights())];
    default:
      return [
        unchecked(
          { check: 'mapping.source', subject: arn || 'a mapping without an ARN' },
          'not checked: the layer has no handler of this source',
          'Look at it by yourself.',
        ),
      ];
  }
}
