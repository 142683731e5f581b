import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { EventSourceMappingConfiguration, FunctionConfiguration } from '@aws-sdk/client-lambda';
import type { Account } from './account';
import { checkAsync } from './check-async';
import { checkFunction } from './check-function';
import { checkMapping } from './check-mapping';
import { checkQueue } from './check-queue';
import { retentionOf } from './check-retention';
import { checkLayerRights, checkSourceRights } from './check-rights';
import { checkStream } from './check-stream';
import type { Patient } from './examine';
import { asked, type Finding, failed, unchecked } from './finding';

/** A function, and what brings events to it. */
export async function examineFunction(
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
          ? await checkLayerRights(account, config.Role ?? '', table, ownPrefix)
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
  const service = arn.split(':')[2];
  switch (service) {
    case 'sqs':
      return [
        ...checkMapping(mapping),
        ...(await asked(
          { check: 'queue.visibility_timeout', subject: arn },
          'sqs:GetQueueUrl and sqs:GetQueueAttributes',
          () => account.queueAttributes(arn),
          (attributes) => checkQueue(mapping, attributes, { timeout: config.Timeout ?? 3, keepFor }),
        )),
        ...(await checkSourceRights(account, config.Role ?? '', arn, service)),
      ];
    case 'kinesis':
    case 'dynamodb':
      return [
        ...checkMapping(mapping),
        ...checkStream(mapping, keepFor),
        ...(await checkSourceRights(account, config.Role ?? '', arn, service)),
      ];
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
