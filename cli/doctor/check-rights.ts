import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { Account } from './account';
import { advice, asked, type Finding, passed, unchecked } from './finding';
import { simulated, statement } from './simulated';

// The module's policy allows the same.
const LAYER_ACTIONS = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'];

const OPERATOR_ACTIONS = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Scan'];

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaKinesisExecutionRole.html
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaDynamoDBExecutionRole.html
const SOURCE_ACTIONS = {
  sqs: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
  kinesis: ['kinesis:DescribeStream', 'kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:ListShards'],
  dynamodb: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
};

/** Whether a function's role may do with records what the layer does. */
export async function checkLayerRights(
  account: Account,
  roleArn: string,
  table: TableDescription | undefined,
  keyPrefix: string,
): Promise<Finding[]> {
  if (table === undefined) return [withoutTable(roleArn)];
  const records = {
    principalArn: roleArn,
    actions: LAYER_ACTIONS,
    resourceArn: table.TableArn ?? '',
    // A right to keys of one's own only depends on the key that is asked for.
    context: { 'dynamodb:LeadingKeys': `${keyPrefix}doctor` },
  };
  return [
    ...(await simulated(account, 'rights.table', records, () => ({
      fix: "Attach the module's policy, or let it do so.",
      terraform: 'role_names = { function = aws_iam_role.function.name }',
    }))),
    ...(await keyRights(account, roleArn, table)),
  ];
}

/** Whether whoever runs the command line may do with records what it does. */
export async function checkOperatorRights(
  account: Account,
  principalArn: string,
  table: TableDescription | undefined,
): Promise<Finding[]> {
  if (table === undefined) return [withoutTable(principalArn)];
  const records = {
    principalArn,
    actions: OPERATOR_ACTIONS,
    resourceArn: table.TableArn ?? '',
    context: {},
  };
  return [
    ...(await simulated(account, 'rights.table', records, (denied) => ({
      fix: 'Allow it where it is wanted: docs/cli.md says which command needs what.',
      terraform: statement(denied, 'module.idempotency.table_arn'),
    }))),
    ...(await keyRights(account, principalArn, table)),
  ];
}

/** Whether Lambda may read the queue or the stream in the function's name. */
export function checkSourceRights(
  account: Account,
  roleArn: string,
  sourceArn: string,
  service: keyof typeof SOURCE_ACTIONS,
): Promise<Finding[]> {
  const reading = {
    principalArn: roleArn,
    actions: SOURCE_ACTIONS[service],
    resourceArn: sourceArn,
    context: {},
  };
  return simulated(account, 'rights.source', reading, (denied) => ({
    fix: "Allow it; for the module's own queues and streams, name the role in role_names.",
    terraform: statement(denied, JSON.stringify(sourceArn)),
  }));
}

function withoutTable(subject: string): Finding {
  const named = { check: 'rights.table', subject };
  return unchecked(named, 'not checked: the table is not known', 'See to the table first.');
}

/**
 * The account's aws/dynamodb key is everybody's who may use the table. Of another one only advice: its own policy may allow
 * what the role's does not.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
function keyRights(
  account: Account,
  principalArn: string,
  { SSEDescription: sse }: TableDescription,
): Promise<Finding[]> {
  const keyArn = sse?.KMSMasterKeyArn;
  if (keyArn === undefined) return Promise.resolve([]);
  const named = { check: 'rights.key', subject: principalArn };
  return asked(
    named,
    'kms:DescribeKey',
    () => account.isManagedByAws(keyArn),
    async (managed) => {
      if (managed) return [passed(named, `${keyArn} is the account's own, for all who may use the table`)];
      const decryption = {
        principalArn,
        actions: ['kms:Decrypt'],
        resourceArn: keyArn,
        context: { 'kms:ViaService': `dynamodb.${keyArn.split(':')[3]}.amazonaws.com` },
      };
      const cure = {
        fix: "Allow it through DynamoDB, unless the key's policy does.",
        terraform: `table_kms_key_arn = "${keyArn}"`,
      };
      const findings = await simulated(account, 'rights.key', decryption, () => cure);
      return findings.map((each) => (each.verdict === 'failed' ? advice(each, each.detail, cure) : each));
    },
  );
}
