import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { terraform } from '../../scripts/terraform';
import { changesOf, fixture, offlineProvider, type Plan, plan, remove } from './workspace';

jest.setTimeout(3 * 60_000);

let planned: Plan & { output_changes: { given: { after_unknown: object } } };

beforeAll(async () => {
  const folder = fixture('unknown');
  writeFileSync(join(folder, 'provider.tf.json'), JSON.stringify(offlineProvider));
  await terraform(folder, ['init']);
  planned = (await plan(folder, [], {})) as typeof planned;
  remove(folder);
});

/** What is created of the module, without where it is used. */
const created = (module: string) =>
  changesOf(planned)
    .filter((change) => change.startsWith(`create module.${module}.`))
    .map((change) => change.replace(`create module.${module}.`, ''));

it('plans nothing but with what is not known yet', () => {
  const { after_unknown } = planned.output_changes.given;
  expect(Object.keys(after_unknown).length).toBe(11);
  expect(new Set(Object.values(after_unknown))).toEqual(new Set([true]));
});

const either = [
  'aws_cloudwatch_dashboard.this[0]',
  'aws_cloudwatch_metric_alarm.dlq["orders"]',
  'aws_cloudwatch_metric_alarm.oldest_message["orders"]',
  'aws_cloudwatch_metric_alarm.table_throttles[0]',
  'aws_iam_policy.consumer["orders"]',
  'aws_iam_role_policy_attachment.consumer["orders"]',
  'aws_iam_role_policy_attachment.this["orders"]',
  'aws_lambda_event_source_mapping.stream["kinesis"]',
  'aws_lambda_event_source_mapping.stream["table"]',
  'aws_lambda_event_source_mapping.this["orders"]',
  'aws_lambda_function_event_invoke_config.this["mail"]',
  'aws_sqs_queue.dlq["orders"]',
  'aws_sqs_queue.this["orders"]',
  'aws_sqs_queue_policy.dlq["orders"]',
  'aws_sqs_queue_policy.this["orders"]',
  'aws_sqs_queue_redrive_allow_policy.dlq["orders"]',
];

it('T9: plans for a new table, keys, roles, functions, streams, topics and destinations', () => {
  expect(created('new_table').sort()).toEqual(
    [
      ...either,
      'aws_cloudwatch_metric_alarm.layer["LockLost"]',
      'aws_cloudwatch_metric_alarm.layer["ResultUnavailable"]',
      'aws_cloudwatch_metric_alarm.layer["TakenOver"]',
      'aws_dynamodb_resource_policy.this[0]',
      'aws_dynamodb_table.this[0]',
      'aws_iam_policy.this[0]',
    ].sort(),
  );
});

it('T11: plans for a table of the caller’s, and a layer in a bucket', () => {
  expect(created('own_table').sort()).toEqual(
    [
      ...either,
      'aws_iam_policy.function["orders"]',
      'aws_lambda_layer_version.s3[0]',
      'aws_lambda_layer_version_permission.this["company"]',
    ].sort(),
  );
});

it('T4: plans nothing where nothing is to be created', () => {
  expect(created('nothing')).toEqual([]);
});

it.each(['aws_lambda_event_source_mapping.this', 'aws_lambda_event_source_mapping.stream'])(
  'T7: creates %s only after the policies that its role needs are attached',
  (address) => {
    expect(dependencies(address)).toEqual([
      'aws_iam_role_policy_attachment.consumer',
      'aws_iam_role_policy_attachment.this',
    ]);
  },
);

it('sends on what is given up only after the role may', () => {
  expect(dependencies('aws_lambda_function_event_invoke_config.this')).toEqual([
    'aws_iam_role_policy_attachment.consumer',
  ]);
});

/** What a resource of the module waits for beside what it refers to. */
function dependencies(address: string): string[] | undefined {
  const { resources = [] } = planned.configuration.root_module.module_calls.new_table?.module ?? {};
  return resources.find((resource) => resource.address === address)?.depends_on;
}
