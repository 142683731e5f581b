import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type PointInTimeRecoveryDescription,
  type TableDescription,
  type TimeToLiveDescription,
} from '@aws-sdk/client-dynamodb';
import {
  type EvaluationResult,
  GetRoleCommand,
  IAMClient,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  type EventSourceMappingConfiguration,
  type FunctionConfiguration,
  type FunctionEventInvokeConfig,
  GetFunctionConfigurationCommand,
  GetFunctionEventInvokeConfigCommand,
  LambdaClient,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

/** A question to the simulation of a principal's rights. */
export interface Simulation {
  principalArn: string;
  actions: string[];
  resourceArn: string;
  /** Condition keys that the real request would have. */
  context: Record<string, string>;
}

/** What the doctor asks of AWS. Only reads; `undefined` is what does not exist. */
export interface Account {
  table(name: string): Promise<TableDescription | undefined>;
  timeToLive(name: string): Promise<TimeToLiveDescription | undefined>;
  pointInTimeRecovery(name: string): Promise<PointInTimeRecoveryDescription | undefined>;
  callerArn(): Promise<string>;
  roleArn(name: string): Promise<string>;
  simulate(simulation: Simulation): Promise<EvaluationResult[]>;
  /** Whether AWS manages the key, as it does the account's aws/dynamodb. */
  isManagedByAws(keyArn: string): Promise<boolean>;
  functionConfiguration(name: string): Promise<FunctionConfiguration | undefined>;
  mappings(functionName: string): Promise<EventSourceMappingConfiguration[]>;
  asyncSettings(functionName: string): Promise<FunctionEventInvokeConfig | undefined>;
  queueAttributes(arn: string): Promise<Record<string, string> | undefined>;
}

export function accountOf(dynamodb: DynamoDBClient): Account {
  const lambda = new LambdaClient({});
  const sqs = new SQSClient({});
  const iam = new IAMClient({});
  const kms = new KMSClient({});
  const sts = new STSClient({});

  return {
    table: (TableName) =>
      existing(async () => (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table),
    async timeToLive(TableName) {
      return (await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
    },
    async pointInTimeRecovery(TableName) {
      const { ContinuousBackupsDescription } = await dynamodb.send(
        new DescribeContinuousBackupsCommand({ TableName }),
      );
      return ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    },
    async callerArn() {
      return given((await sts.send(new GetCallerIdentityCommand({}))).Arn);
    },
    async roleArn(RoleName) {
      return given((await iam.send(new GetRoleCommand({ RoleName }))).Role?.Arn);
    },
    async simulate({ principalArn, actions, resourceArn, context }) {
      const { EvaluationResults } = await iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: principalArn,
          ActionNames: actions,
          ResourceArns: [resourceArn],
          ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
            ContextKeyName,
            ContextKeyType: ContextKeyName === 'dynamodb:LeadingKeys' ? 'stringList' : 'string',
            ContextKeyValues: [value],
          })),
        }),
      );
      return EvaluationResults ?? [];
    },
    async isManagedByAws(KeyId) {
      return (await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyManager === 'AWS';
    },
    functionConfiguration: (FunctionName) =>
      existing(() => lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))),
    async mappings(FunctionName) {
      const all: EventSourceMappingConfiguration[] = [];
      for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings(
        { client: lambda },
        { FunctionName },
      )) {
        all.push(...EventSourceMappings);
      }
      return all;
    },
    asyncSettings: (FunctionName) =>
      existing(() => lambda.send(new GetFunctionEventInvokeConfigCommand({ FunctionName }))),
    queueAttributes: (arn) =>
      existing(async () => {
        const [, , , , QueueOwnerAWSAccountId, QueueName] = arn.split(':');
        const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId }));
        const { Attributes } = await sqs.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
        );
        return Attributes;
      }),
  };
}

const MISSING = ['ResourceNotFoundException', 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'];

async function existing<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (MISSING.includes((error as Error).name)) return undefined;
    throw error;
  }
}

function given(arn: string | undefined): string {
  if (arn === undefined) throw new Error('AWS answered without an ARN');
  return arn;
}
