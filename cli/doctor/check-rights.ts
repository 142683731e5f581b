import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { EvaluationResult } from '@aws-sdk/client-iam';
import type { Account } from './account';
import { advice, asked, type Finding, failed, passed, unchecked } from './finding';

/** What the layer does with records: the module's policy allows the same. */
export const LAYER_ACTIONS = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'];

/** What this command line does with them. */
export const OPERATOR_ACTIONS = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Scan'];

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaKinesisExecutionRole.html
// https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaDynamoDBExecutionRole.html
const SOURCE_ACTIONS: Record<string, string[]> = {
  sqs: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
  kinesis: ['kinesis:DescribeStream', 'kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:ListShards'],
  dynamodb: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
};

/** Whether a principal may do with the table what it must, by simulation of its policies. */
export async function checkTableRights(
  account: Account,
  principalArn: string,
  { TableArn: tableArn = '', SSEDescription: sse }: TableDescription,
  actions: string[],
  keyPrefix: string,
): Promise<Finding[]> {
  // A right to keys of one's own only depends on the key that is asked for.
  const context: Record<string, string> = actions.includes('dynamodb:Scan')
    ? {}
    : { 'dynamodb:LeadingKeys': `${keyPrefix}doctor` };
  const findings = await simulated(account, 'rights.table', principalArn, actions, tableArn, context);
  const keyArn = sse?.KMSMasterKeyArn;
  if (keyArn === undefined) return findings;
  return [...findings, ...(await keyRights(account, principalArn, keyArn))];
}

/** Whether Lambda may read the queue or the stream in the function's name. */
export function checkSourceRights(account: Account, roleArn: string, sourceArn: string): Promise<Finding[]> {
  const actions = SOURCE_ACTIONS[sourceArn.split(':')[2] ?? ''] ?? [];
  if (actions.length === 0) return Promise.resolve([]);
  return simulated(account, 'rights.source', roleArn, actions, sourceArn, {});
}

function simulated(
  account: Account,
  check: string,
  subject: string,
  actions: string[],
  resourceArn: string,
  context: Record<string, string>,
): Promise<Finding[]> {
  const named = { check, subject };
  return asked(
    named,
    'iam:SimulatePrincipalPolicy',
    () => account.simulate({ principalArn: subject, actions, resourceArn, context }),
    (results) => {
      const unknown = actions.filter((action) => !results.some((each) => each.EvalActionName === action));
      if (unknown.length > 0) {
        return [
          unchecked(
            named,
            `not checked: the simulation is silent on ${unknown.join(', ')}`,
            'Look into its policies.',
          ),
        ];
      }
      const denied = deniedOf(results);
      if (denied.length === 0) return [passed(named, `may ${actions.join(', ')} on ${resourceArn}`)];
      return [
        failed(named, `may not ${denied.join(', ')} on ${resourceArn}`, {
          fix:
            check === 'rights.source'
              ? 'Name the role in role_names of the module, which has the queue or stream, or allow it.'
              : "Attach the module's policy, or allow it.",
          terraform:
            check === 'rights.source'
              ? `statement { actions = ${JSON.stringify(denied.map(nameOf))}, resources = ["${resourceArn}"] }`
              : actions.includes('dynamodb:Scan')
                ? `statement { actions = ${JSON.stringify(denied.map(nameOf))}, resources = [module.idempotency.table_arn] }`
                : 'role_names = { function = aws_iam_role.function.name }',
        }),
      ];
    },
  );
}

const nameOf = (denied: string) => denied.replace(/ .*/, '');

function deniedOf(results: EvaluationResult[]): string[] {
  return results
    .filter(({ EvalDecision }) => EvalDecision !== 'allowed')
    .map(({ EvalActionName, EvalDecision }) =>
      EvalDecision === 'explicitDeny' ? `${EvalActionName} (explicitly denied)` : String(EvalActionName),
    );
}

/**
 * Only advice: the key's own policy may allow what the role's does not, and the account's aws/dynamodb key does.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
function keyRights(account: Account, subject: string, keyArn: string): Promise<Finding[]> {
  const named = { check: 'rights.key', subject };
  const region = keyArn.split(':')[3];
  return asked(
    named,
    'iam:SimulatePrincipalPolicy',
    () =>
      account.simulate({
        principalArn: subject,
        actions: ['kms:Decrypt'],
        resourceArn: keyArn,
        context: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` },
      }),
    (results) => [
      results.length > 0 && deniedOf(results).length === 0
        ? passed(named, `may use ${keyArn} through DynamoDB`)
        : advice(named, `its own policies do not let it use ${keyArn} through DynamoDB`, {
            fix: "Allow kms:Decrypt, unless the key's policy does or it is the account's aws/dynamodb key.",
            terraform: `table_kms_key_arn = "${keyArn}"`,
          }),
    ],
  );
}

/**
 * The principal whose policies can be simulated: of a session, its role.
 *
 * @throws Error for the account's root user, which has none.
 */
export async function principalOf(account: Account): Promise<string> {
  const arn = await account.callerArn();
  const [, , , , , resource = ''] = arn.split(':');
  if (resource === 'root') throw new Error('the root user has no policies to simulate');
  const [kind, role] = resource.split('/');
  // A session's ARN does not have the path that its role's has.
  return kind === 'assumed-role' && role !== undefined ? account.roleArn(role) : arn;
}
