import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { CreateStreamCommand, DescribeStreamSummaryCommand, KinesisClient } from '@aws-sdk/client-kinesis';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  LambdaClient,
  PublishLayerVersionCommand,
  PutFunctionEventInvokeConfigCommand,
} from '@aws-sdk/client-lambda';
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { zipSync } from 'fflate';
import { runCommandLine } from '../../cli/command-line';
import type { Finding } from '../../cli/doctor/finding';
import { EXIT } from '../../cli/exit-codes';
import { systemClock } from '../../layer/clock';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { terraform } from '../../scripts/terraform';
import { terminalUnderTest } from '../unit/cli/terminal';
import { createTable } from './create-table';

let emulator: Emulator;
let dynamodb: DynamoDBClient;
let lambda: LambdaClient;
let sqs: SQSClient;
let iam: IAMClient;

beforeAll(async () => {
  emulator = await startEmulator();
  Object.assign(process.env, emulator.env);
  dynamodb = new DynamoDBClient({});
  lambda = new LambdaClient({});
  sqs = new SQSClient({});
  iam = new IAMClient({});
});

afterAll(async () => {
  for (const client of [dynamodb, lambda, sqs, iam]) client.destroy();
  await emulator.stop();
});

async function doctor(...argv: string[]) {
  const terminal = terminalUnderTest();
  const exit = await runCommandLine(['doctor', '--json', ...argv], { terminal, clock: systemClock, env: {} });
  const { summary, findings } = JSON.parse(terminal.printed[0] as string) as {
    summary: Record<Finding['verdict'], number>;
    findings: Finding[];
  };
  const of = (verdict: Finding['verdict']) =>
    findings.filter((each) => each.verdict === verdict).map(({ check }) => check);
  return { exit, summary, findings, of };
}

const zip = (name: string, text: string) => Buffer.from(zipSync({ [name]: new TextEncoder().encode(text) }));

async function createRole(name: string, actions: string[]): Promise<string> {
  const { Role } = await iam.send(
    new CreateRoleCommand({
      RoleName: name,
      AssumeRolePolicyDocument: '{"Version":"2012-10-17","Statement":[]}',
    }),
  );
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] };
  await iam.send(
    new PutRolePolicyCommand({ RoleName: name, PolicyName: 'own', PolicyDocument: JSON.stringify(policy) }),
  );
  return Role?.Arn ?? '';
}

async function createQueue(name: string, attributes: Record<string, string>): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  return Attributes?.QueueArn ?? '';
}

describe('an account as the module leaves it', () => {
  let layerArn: string;
  let dlq: string;

  beforeAll(async () => {
    const kms = new KMSClient({});
    const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
    kms.destroy();
    await dynamodb.send(
      new CreateTableCommand({
        TableName: 'sound',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: KeyMetadata?.Arn },
      }),
    );
    await dynamodb.send(
      new UpdateTimeToLiveCommand({
        TableName: 'sound',
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      }),
    );
    await dynamodb.send(
      new UpdateContinuousBackupsCommand({
        TableName: 'sound',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
    dlq = await createQueue('sound-dlq', {});
    const queue = await createQueue('sound', {
      VisibilityTimeout: '180',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dlq, maxReceiveCount: 5 }),
    });
    const { LayerVersionArn } = await lambda.send(
      new PublishLayerVersionCommand({
        LayerName: 'sound',
        Content: { ZipFile: zip('nodejs/index.js', '') },
      }),
    );
    layerArn = LayerVersionArn ?? '';
    const role = await createRole('sound', [
      ...['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem', 'kms:Decrypt'],
      ...['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    ]);
    await lambda.send(
      new CreateFunctionCommand({
        FunctionName: 'sound',
        Runtime: 'nodejs22.x',
        Handler: 'index.handler',
        Role: role,
        Timeout: 30,
        Layers: [layerArn],
        Code: { ZipFile: zip('index.js', 'exports.handler = async () => {}') },
        Environment: { Variables: { IDEMPOTENCY_TABLE: 'sound', IDEMPOTENCY_METRICS: 'emf' } },
      }),
    );
    await lambda.send(
      new CreateEventSourceMappingCommand({
        FunctionName: 'sound',
        EventSourceArn: queue,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      }),
    );
    await lambda.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName: 'sound',
        MaximumEventAgeInSeconds: 3600,
        MaximumRetryAttempts: 2,
        DestinationConfig: { OnFailure: { Destination: dlq } },
      }),
    );
  });

  it('passes every check', async () => {
    const { exit, summary, findings } = await doctor(
      '--table',
      'sound',
      '--function',
      'sound',
      '--layer',
      layerArn,
    );
    expect(findings.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(summary.passed).toBeGreaterThanOrEqual(20);
    expect(exit).toBe(EXIT.done);
  });

  it('is not passed as a whole where the caller’s rights cannot be simulated', async () => {
    const { exit, of } = await doctor('--table', 'sound');
    // The emulator's caller is the root user.
    expect(of('unchecked')).toEqual(['rights.table']);
    expect(exit).toBe(EXIT.unchecked);
  });
});

describe('an account with every mistake', () => {
  beforeAll(async () => {
    await createTable(dynamodb, 'unsound');
    const queue = await createQueue('unsound', { VisibilityTimeout: '30' });
    const kinesis = new KinesisClient({});
    await kinesis.send(new CreateStreamCommand({ StreamName: 'unsound', ShardCount: 1 }));
    const { StreamDescriptionSummary } = await kinesis.send(
      new DescribeStreamSummaryCommand({ StreamName: 'unsound' }),
    );
    kinesis.destroy();
    await lambda.send(
      new CreateFunctionCommand({
        FunctionName: 'unsound',
        Runtime: 'nodejs20.x',
        Handler: 'index.handler',
        Role: await createRole('unsound', ['dynamodb:GetItem']),
        Timeout: 30,
        Code: { ZipFile: zip('index.js', 'exports.handler = async () => {}') },
        Environment: {
          Variables: {
            IDEMPOTENCY_TABLE: 'another',
            IDEMPOTENCY_KEEP_FOR_SECONDS: '60',
            IDEMPOTENCY_METRICS: 'on',
          },
        },
      }),
    );
    for (const more of [
      { EventSourceArn: queue },
      { EventSourceArn: StreamDescriptionSummary?.StreamARN ?? '', StartingPosition: 'LATEST' as const },
    ]) {
      await lambda.send(new CreateEventSourceMappingCommand({ FunctionName: 'unsound', ...more }));
    }
  });

  const examined = () =>
    doctor(
      ...['--table', 'unsound', '--key-prefix', 'charge#', '--function', 'unsound', 'no-such-function'],
      ...['--layer', 'arn:aws:lambda:us-east-1:000000000000:layer:sound:1'],
    );

  it('is told each of them', async () => {
    const { exit, of } = await examined();
    expect(exit).toBe(EXIT.unhealthy);
    expect(of('failed').sort()).toEqual(
      [
        'async.age',
        'function.exists',
        'function.layer',
        'function.metrics',
        'function.runtime',
        'function.table',
        'mapping.partial_responses',
        'mapping.partial_responses',
        'queue.dead_letter_queue',
        'queue.visibility_timeout',
        'rights.source',
        'rights.source',
        'rights.table',
        'stream.age',
        'stream.on_failure',
        'stream.retries',
        'table.ttl',
      ].sort(),
    );
    expect(of('advice').sort()).toEqual(
      [
        'async.on_failure',
        'function.key_prefix',
        'stream.bisect',
        'table.deletion_protection',
        'table.encryption',
        'table.recovery',
      ].sort(),
    );
    expect(of('unchecked')).toEqual([]);
  });

  it('is told what to do in Terraform that Terraform reads', async () => {
    const { findings } = await examined();
    const cures = findings.filter(({ verdict }) => verdict !== 'passed');
    for (const { check, fix, terraform } of cures) {
      expect({ check, fix, terraform }).toEqual({
        check,
        fix: expect.any(String),
        terraform: expect.any(String),
      });
    }
    const folder = mkdtempSync(join(tmpdir(), 'cures-'));
    try {
      writeFileSync(join(folder, 'cures.tf'), cures.map((each) => block(each.terraform ?? '')).join('\n'));
      // Rejects for what is no Terraform.
      await terraform(folder, ['fmt']);
      expect(readFileSync(join(folder, 'cures.tf'), 'utf8')).toContain('visibility_timeout_seconds = 180');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is told of a table that does not exist', async () => {
    const { exit, of } = await doctor('--table', 'no-such-table');
    expect(exit).toBe(EXIT.unhealthy);
    expect(of('failed')).toEqual(['table.exists']);
  });
});

/** As the line stands in a file: within a block, unless it is one of its own. */
function block(terraform: string): string {
  return terraform.startsWith('module ') ? terraform : `resource "any" "any" {\n${terraform}\n}`;
}
