import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { EventSourceMappingConfiguration, FunctionConfiguration } from '@aws-sdk/client-lambda';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { exitOf, reportOf, summaryOf } from '../../../cli/doctor';
import type { Account, Simulation } from '../../../cli/doctor/account';
import { examine, type Patient } from '../../../cli/doctor/examine';
import type { Finding } from '../../../cli/doctor/finding';

const QUEUE = 'arn:aws:sqs:eu-west-1:111122223333:orders';
const KINESIS = 'arn:aws:kinesis:eu-west-1:111122223333:stream/clicks';
const DYNAMODB = 'arn:aws:dynamodb:eu-west-1:111122223333:table/carts/stream/2026-01-01T00:00:00.000';
const LAYER = 'arn:aws:lambda:eu-west-1:111122223333:layer:idempotency:7';
const ROLE = 'arn:aws:iam::111122223333:role/service/charge';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/1';

const table: TableDescription = {
  TableName: 'records',
  TableArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/records',
  TableStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  SSEDescription: { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: KEY },
  DeletionProtectionEnabled: true,
};

const config: FunctionConfiguration = {
  Runtime: 'nodejs22.x',
  Timeout: 30,
  Role: ROLE,
  Layers: [{ Arn: LAYER }],
  Environment: {
    Variables: {
      IDEMPOTENCY_TABLE: 'records',
      IDEMPOTENCY_KEEP_FOR_SECONDS: '86400',
      IDEMPOTENCY_METRICS: 'emf',
      DATABASE_PASSWORD: 'secret',
    },
  },
};

const queueMapping: EventSourceMappingConfiguration = {
  EventSourceArn: QUEUE,
  State: 'Enabled',
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  MaximumBatchingWindowInSeconds: 5,
};

const streamMapping: EventSourceMappingConfiguration = {
  EventSourceArn: KINESIS,
  State: 'Enabled',
  FunctionResponseTypes: ['ReportBatchItemFailures'],
  MaximumRetryAttempts: 10,
  MaximumRecordAgeInSeconds: 3600,
  BisectBatchOnFunctionError: true,
  DestinationConfig: { OnFailure: { Destination: QUEUE } },
};

const queue = {
  VisibilityTimeout: '185',
  RedrivePolicy: JSON.stringify({ deadLetterTargetArn: `${QUEUE}-dlq`, maxReceiveCount: 5 }),
};

const healthy: Account = {
  table: async () => table,
  timeToLive: async () => ({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' }),
  pointInTimeRecovery: async () => ({ PointInTimeRecoveryStatus: 'ENABLED' }),
  callerArn: async () => 'arn:aws:sts::111122223333:assumed-role/operator/somebody',
  roleArn: async (name) => `arn:aws:iam::111122223333:role/people/${name}`,
  simulate: async ({ actions }) =>
    actions.map((EvalActionName) => ({ EvalActionName, EvalDecision: 'allowed' })),
  isManagedByAws: async () => false,
  functionConfiguration: async () => config,
  mappings: async () => [queueMapping, streamMapping],
  asyncSettings: async () => ({
    MaximumEventAgeInSeconds: 3600,
    MaximumRetryAttempts: 2,
    DestinationConfig: { OnFailure: { Destination: QUEUE } },
  }),
  queueAttributes: async () => queue,
};

const patient: Patient = { tableName: 'records', keyPrefix: '', functions: ['charge'], layerArn: LAYER };

const examined = (account: Partial<Account>, of: Partial<Patient> = {}): Promise<Finding[]> =>
  examine({ ...healthy, ...account }, { ...patient, ...of });

/** The only finding that is not passed. */
async function wrong(account: Partial<Account>, of: Partial<Patient> = {}): Promise<Finding> {
  const findings = (await examined(account, of)).filter(({ verdict }) => verdict !== 'passed');
  expect(findings).toHaveLength(1);
  return findings[0] as Finding;
}

const withConfig = (more: FunctionConfiguration): Partial<Account> => ({
  functionConfiguration: async () => ({ ...config, ...more }),
});

const withVariables = (variables: Record<string, string | undefined>): Partial<Account> =>
  withConfig({ Environment: { Variables: { ...config.Environment?.Variables, ...variables } as never } });

const withMapping = (mapping: EventSourceMappingConfiguration): Partial<Account> => ({
  mappings: async () => [mapping],
});

const denied = (
  names: string[],
  decision: 'implicitDeny' | 'explicitDeny' = 'implicitDeny',
): Account['simulate'] => {
  return async ({ actions }) =>
    actions.map((EvalActionName) => ({
      EvalActionName,
      EvalDecision: names.includes(EvalActionName) ? decision : 'allowed',
    }));
};

it('passes what is as the module makes it', async () => {
  const findings = await examined({});
  expect(findings.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([
    'table.exists',
    'table.key',
    'table.ttl',
    'table.recovery',
    'table.encryption',
    'table.deletion_protection',
    'function.runtime',
    'function.layer',
    'function.table',
    'function.retention',
    'function.key_prefix',
    'function.metrics',
    'rights.table',
    'rights.key',
    'async.age',
    'async.retries',
    'async.on_failure',
    'mapping.partial_responses',
    'queue.visibility_timeout',
    'queue.dead_letter_queue',
    'queue.retention',
    'rights.source',
    'mapping.partial_responses',
    'stream.retries',
    'stream.age',
    'stream.on_failure',
    'stream.bisect',
    'rights.source',
  ]);
});

it('tells nothing of the environment but the layer’s own variables', async () => {
  expect(JSON.stringify(await examined({}))).not.toMatch(/secret|PASSWORD/);
});

describe('the table', () => {
  it('does not exist', async () => {
    const findings = await examined({ table: async () => undefined }, { functions: [], roleArn: ROLE });
    expect(findings).toEqual([
      expect.objectContaining({ check: 'table.exists', verdict: 'failed', subject: 'records' }),
      expect.objectContaining({ check: 'rights.table', verdict: 'unchecked', subject: ROLE }),
    ]);
  });

  it.each([
    [
      'another name',
      { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }] },
      'id (HASH, undefined)',
    ],
    [
      'a sort key',
      {
        KeySchema: [...(table.KeySchema ?? []), { AttributeName: 'sk', KeyType: 'RANGE' as const }],
        AttributeDefinitions: [
          ...(table.AttributeDefinitions ?? []),
          { AttributeName: 'sk', AttributeType: 'S' as const },
        ],
      },
      'pk (HASH, S), sk (RANGE, S)',
    ],
    [
      'another type',
      { AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'B' as const }] },
      'pk (HASH, B)',
    ],
  ])('has a key of %s', async (_, more, shown) => {
    const finding = await wrong({ table: async () => ({ ...table, ...more }) });
    expect(finding).toMatchObject({ check: 'table.key', verdict: 'failed', terraform: 'hash_key = "pk"' });
    expect(finding.detail).toContain(`its key is ${shown},`);
  });

  it.each([
    ['off', { TimeToLiveStatus: 'DISABLED' as const }, 'TTL is off'],
    [
      'being turned off',
      { AttributeName: 'expiresAt', TimeToLiveStatus: 'DISABLING' as const },
      'TTL is off',
    ],
    ['not told', undefined, 'TTL is off'],
    ['on another attribute', { AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' as const }, 'TTL is on ttl'],
  ])('has a TTL that is %s', async (_, ttl, shown) => {
    const finding = await wrong({ timeToLive: async () => ttl });
    expect(finding).toMatchObject({ check: 'table.ttl', verdict: 'failed' });
    expect(finding.detail).toContain(shown);
    expect(finding.terraform).toContain('attribute_name = "expiresAt"');
  });

  it('has a TTL that is being turned on', async () => {
    const findings = await examined({
      timeToLive: async () => ({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLING' }),
    });
    expect(summaryOf(findings)).toMatchObject({ failed: 0, advice: 0, unchecked: 0 });
  });

  it.each([
    [
      'table.recovery',
      { pointInTimeRecovery: async () => ({ PointInTimeRecoveryStatus: 'DISABLED' as const }) },
    ],
    ['table.encryption', { table: async () => ({ ...table, SSEDescription: undefined }) }],
    ['table.deletion_protection', { table: async () => ({ ...table, DeletionProtectionEnabled: false }) }],
  ])('gets advice for %s', async (check, account) => {
    expect(await wrong(account)).toMatchObject({ check, verdict: 'advice', fix: expect.any(String) });
  });
});

describe('rights', () => {
  it('are missing', async () => {
    const finding = await wrong({ simulate: denied(['dynamodb:DeleteItem']) });
    expect(finding).toMatchObject({ check: 'rights.table', verdict: 'failed', subject: ROLE });
    expect(finding.detail).toBe(`may not dynamodb:DeleteItem on ${table.TableArn}`);
  });

  it('are denied', async () => {
    const finding = await wrong({ simulate: denied(['dynamodb:GetItem'], 'explicitDeny') });
    expect(finding.detail).toContain('dynamodb:GetItem (explicitly denied)');
    expect(finding.fix).toMatch(/^Take away what denies it/);
  });

  it('are unknown where the simulation says nothing', async () => {
    const finding = await wrong({
      simulate: async ({ actions }) =>
        actions
          .filter((action) => action !== 'dynamodb:UpdateItem')
          .map((EvalActionName) => ({ EvalActionName, EvalDecision: 'allowed' })),
    });
    expect(finding).toMatchObject({ check: 'rights.table', verdict: 'unchecked' });
    expect(finding.detail).toContain('dynamodb:UpdateItem');
  });

  it('to the key may come from its own policy', async () => {
    const finding = await wrong({ simulate: denied(['kms:Decrypt']) });
    expect(finding).toMatchObject({ check: 'rights.key', verdict: 'advice' });
    expect(finding.detail).toContain(KEY);
  });

  it('to the account’s own key need not be given', async () => {
    const findings = await examined({ simulate: denied(['kms:Decrypt']), isManagedByAws: async () => true });
    expect(findings.find(({ check }) => check === 'rights.key')).toMatchObject({ verdict: 'passed' });
  });

  it('to read the source are missing', async () => {
    const finding = await wrong({ simulate: denied(['sqs:ReceiveMessage']) });
    expect(finding).toMatchObject({ check: 'rights.source', verdict: 'failed' });
    expect(finding.terraform).toBe(
      `statement {\n  actions   = ["sqs:ReceiveMessage"]\n  resources = ["${QUEUE}"]\n}`,
    );
  });

  it('are asked for with the key’s prefix, and the key’s way through DynamoDB', async () => {
    const asked: Simulation[] = [];
    const account: Partial<Account> = {
      ...withVariables({ IDEMPOTENCY_KEY_PREFIX: 'charge#' }),
      mappings: async () => [],
      simulate: async (simulation) => {
        asked.push(simulation);
        return healthy.simulate(simulation);
      },
    };
    await examined(account);
    expect(asked).toEqual([
      {
        principalArn: ROLE,
        actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
        resourceArn: table.TableArn,
        context: { 'dynamodb:LeadingKeys': 'charge#doctor' },
      },
      {
        principalArn: ROLE,
        actions: ['kms:Decrypt'],
        resourceArn: KEY,
        context: { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' },
      },
    ]);
  });

  it('are enough where the policy is the module’s for keys of a function’s own', async () => {
    // The statement of iam.tf, with the same conditions.
    const policy = {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
          Resource: [table.TableArn],
          Condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['charge#*'] },
            Null: { 'dynamodb:LeadingKeys': 'false' },
          },
        },
      ],
    };
    const simulate: Account['simulate'] = async ({ principalArn, actions, resourceArn, context }) => {
      const values = Object.entries(context).map(([name, value]) => [
        name,
        name === 'dynamodb:LeadingKeys' ? [value] : value,
      ]);
      return Promise.all(
        actions.map(async (EvalActionName) => {
          const answer = await runSimulation(
            {
              identityPolicies: [{ name: 'module', policy }],
              serviceControlPolicies: [],
              resourceControlPolicies: [],
              request: {
                action: EvalActionName,
                principal: principalArn,
                resource: { resource: resourceArn, accountId: '111122223333' },
                contextVariables: Object.fromEntries(values),
              },
            },
            {},
          );
          const allowed = answer.resultType !== 'error' && answer.overallResult === 'Allowed';
          return { EvalActionName, EvalDecision: allowed ? 'allowed' : 'implicitDeny' };
        }),
      );
    };
    const ownKeys = { table: async () => ({ ...table, SSEDescription: undefined }), simulate };
    const rights = async (prefix: string) => {
      const findings = await examined(ownKeys, { functions: [], roleArn: ROLE, keyPrefix: prefix });
      return findings.find(({ check }) => check === 'rights.table')?.verdict;
    };
    expect(await rights('charge#')).toBe('passed');
    expect(await rights('mail#')).toBe('failed');
  });

  it('of whoever asks are checked where there is no function, by the role of the session', async () => {
    const findings = await examined({ simulate: denied(['dynamodb:Scan']) }, { functions: [] });
    expect(findings.filter(({ verdict }) => verdict !== 'passed')).toEqual([
      expect.objectContaining({
        check: 'rights.table',
        subject: 'arn:aws:iam::111122223333:role/people/operator',
        detail: `may not dynamodb:Scan on ${table.TableArn}`,
        terraform: expect.stringContaining('module.idempotency.table_arn'),
      }),
    ]);
  });

  it('of a user are the user’s, and of the root user not checked', async () => {
    const user = 'arn:aws:iam::111122223333:user/ann';
    const findings = await examined({ callerArn: async () => user }, { functions: [] });
    expect(findings.find(({ check }) => check === 'rights.table')).toMatchObject({ subject: user });
    const root = await wrong({ callerArn: async () => 'arn:aws:iam::111122223333:root' }, { functions: [] });
    expect(root).toMatchObject({ check: 'rights.table', verdict: 'unchecked' });
    expect(root.detail).toContain('root user');
  });

  it('of a role that is named are checked once, in place of the functions’', async () => {
    const findings = await examined({}, { roleArn: 'arn:aws:iam::111122223333:role/other' });
    const checked = findings.filter(({ check }) => check === 'rights.table');
    expect(checked.map(({ subject }) => subject)).toEqual(['arn:aws:iam::111122223333:role/other']);
  });
});

describe('a function', () => {
  it('does not exist', async () => {
    expect(await wrong({ functionConfiguration: async () => undefined })).toMatchObject({
      check: 'function.exists',
      verdict: 'failed',
      subject: 'charge',
    });
  });

  it.each(['nodejs20.x', 'python3.13', undefined])('has the runtime %s', async (Runtime) => {
    expect(await wrong(withConfig({ Runtime: Runtime as never }))).toMatchObject({
      check: 'function.runtime',
      verdict: 'failed',
      terraform: 'runtime = "nodejs22.x"',
    });
  });

  it('is an image', async () => {
    expect(await wrong(withConfig({ Runtime: undefined, PackageType: 'Image' }))).toMatchObject({
      check: 'function.runtime',
      verdict: 'unchecked',
    });
  });

  it.each([
    [
      'another version',
      [{ Arn: LAYER.replace(':7', ':6') }],
      `it has ${LAYER.replace(':7', ':6')}, but should`,
    ],
    ['another layer', [{ Arn: LAYER.replace('idempotency', 'other') }], 'it does not have'],
    ['no layer', [], 'it has no layer, but should have'],
  ])('has %s', async (_, Layers, shown) => {
    const finding = await wrong(withConfig({ Layers }));
    expect(finding).toMatchObject({ check: 'function.layer', verdict: 'failed' });
    expect(finding.detail).toContain(shown);
  });

  it('has any version of the layer', async () => {
    const findings = await examined({}, { layerArn: LAYER.replace(/:7$/, '') });
    expect(summaryOf(findings)).toMatchObject({ failed: 0, unchecked: 0 });
  });

  it('has layers of which nobody says which it should be, or none', async () => {
    expect(await wrong({}, { layerArn: undefined })).toMatchObject({
      check: 'function.layer',
      verdict: 'unchecked',
    });
    expect(await wrong(withConfig({ Layers: undefined }), { layerArn: undefined })).toMatchObject({
      check: 'function.layer',
      verdict: 'advice',
    });
  });

  it.each([
    ['function.table', 'failed', { IDEMPOTENCY_TABLE: undefined }, 'is not set'],
    ['function.table', 'failed', { IDEMPOTENCY_TABLE: 'other' }, 'is other, not records'],
    ['function.retention', 'failed', { IDEMPOTENCY_KEEP_FOR_SECONDS: 'a day' }, '"a day"'],
    ['function.key_prefix', 'advice', { IDEMPOTENCY_KEY_PREFIX: 'charge#' }, "'charge#'"],
    ['function.metrics', 'advice', { IDEMPOTENCY_METRICS: undefined }, 'is not set'],
    ['function.metrics', 'failed', { IDEMPOTENCY_METRICS: 'yes' }, "'yes'"],
  ])('fails %s as %s with %j', async (check, verdict, variables, shown) => {
    const finding = await wrong(withVariables(variables));
    expect(finding).toMatchObject({ check, verdict });
    expect(finding.detail).toContain(shown);
  });

  it('has no environment at all', async () => {
    const findings = await examined(withConfig({ Environment: undefined }));
    expect(findings.filter(({ verdict }) => verdict === 'failed')).toEqual([
      expect.objectContaining({ check: 'function.table' }),
    ]);
  });

  it('has an environment that is not shown: nothing that depends on it is passed', async () => {
    const findings = await examined(
      withConfig({ Environment: { Error: { ErrorCode: 'AccessDeniedException' } } }),
    );
    const unchecked = findings.filter(({ verdict }) => verdict !== 'passed');
    expect(unchecked.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      'function.table unchecked',
      'async.age unchecked',
      'queue.retention unchecked',
      'stream.age unchecked',
    ]);
    expect(exitOf(summaryOf(findings))).toBe('unchecked');
  });

  it.each([
    ['WARN', 'advice'],
    ['DEBUG', 'passed'],
    [undefined, 'passed'],
  ])('logs from level %s on', async (ApplicationLogLevel, verdict) => {
    const findings = await examined(
      withConfig({ LoggingConfig: { LogFormat: 'JSON', ApplicationLogLevel: ApplicationLogLevel as never } }),
    );
    expect(findings.find(({ check }) => check === 'function.metrics')).toMatchObject({ verdict });
  });
});

describe('asynchronous invocation', () => {
  it('has Lambda’s defaults, which lose what is given up', async () => {
    const finding = await wrong({ asyncSettings: async () => undefined });
    expect(finding).toMatchObject({ check: 'async.on_failure', verdict: 'advice' });
  });

  it('has a dead-letter queue', async () => {
    const findings = await examined({
      asyncSettings: async () => undefined,
      ...withConfig({ DeadLetterConfig: { TargetArn: QUEUE } }),
    });
    expect(summaryOf(findings)).toMatchObject({ failed: 0, advice: 0 });
  });

  it('brings events again after results are gone', async () => {
    const account = withVariables({ IDEMPOTENCY_KEEP_FOR_SECONDS: '3599' });
    const findings = await examined({ ...account, mappings: async () => [] });
    expect(findings.filter(({ verdict }) => verdict !== 'passed')).toEqual([
      expect.objectContaining({
        check: 'async.age',
        verdict: 'failed',
        terraform: 'keep_for_seconds = 3600',
      }),
    ]);
  });

  it('never tries again', async () => {
    const finding = await wrong({
      asyncSettings: async () => ({ ...(await healthy.asyncSettings('')), MaximumRetryAttempts: 0 }),
    });
    expect(finding).toMatchObject({ check: 'async.retries', verdict: 'advice' });
  });
});

describe('a queue', () => {
  it('shows its messages too early', async () => {
    const finding = await wrong({ queueAttributes: async () => ({ ...queue, VisibilityTimeout: '184' }) });
    expect(finding).toMatchObject({
      check: 'queue.visibility_timeout',
      verdict: 'failed',
      subject: 'orders',
      terraform: 'visibility_timeout_seconds = 185',
    });
  });

  it('is mapped without a batching window', async () => {
    const findings = await examined({
      ...withMapping({ ...queueMapping, MaximumBatchingWindowInSeconds: undefined }),
      queueAttributes: async () => ({ ...queue, VisibilityTimeout: '180' }),
    });
    expect(summaryOf(findings)).toMatchObject({ failed: 0 });
  });

  it('has no dead-letter queue, or one too soon', async () => {
    const { RedrivePolicy: _, ...without } = queue;
    expect(await wrong({ queueAttributes: async () => without as never })).toMatchObject({
      check: 'queue.dead_letter_queue',
      verdict: 'failed',
    });
    // The console writes a string.
    const soon = { ...queue, RedrivePolicy: '{"deadLetterTargetArn":"x","maxReceiveCount":"4"}' };
    const finding = await wrong({ queueAttributes: async () => soon });
    expect(finding).toMatchObject({ check: 'queue.dead_letter_queue', verdict: 'failed' });
    expect(finding.detail).toContain('after 4 receives');
  });

  it('brings messages again after results are gone', async () => {
    const often = { ...queue, RedrivePolicy: '{"maxReceiveCount":1000}' };
    expect(await wrong({ queueAttributes: async () => often })).toMatchObject({
      check: 'queue.retention',
      verdict: 'failed',
      terraform: 'keep_for_seconds = 185000',
    });
  });

  it('does not exist', async () => {
    expect(await wrong({ queueAttributes: async () => undefined })).toMatchObject({
      check: 'queue.exists',
      verdict: 'failed',
    });
  });

  it('is mapped without partial responses', async () => {
    expect(await wrong(withMapping({ ...queueMapping, FunctionResponseTypes: undefined }))).toMatchObject({
      check: 'mapping.partial_responses',
      verdict: 'failed',
      terraform: 'function_response_types = ["ReportBatchItemFailures"]',
    });
  });

  it('is mapped, but the mapping is off', async () => {
    expect(await wrong(withMapping({ ...queueMapping, State: 'Disabled' }))).toMatchObject({
      check: 'mapping.enabled',
      verdict: 'advice',
    });
  });
});

describe('a stream', () => {
  it.each([
    ['stream.retries', 'failed', { MaximumRetryAttempts: -1 }],
    ['stream.retries', 'failed', { MaximumRetryAttempts: undefined }],
    ['stream.age', 'failed', { MaximumRecordAgeInSeconds: -1 }],
    ['stream.age', 'failed', { MaximumRecordAgeInSeconds: 86_401 }],
    ['stream.on_failure', 'failed', { DestinationConfig: {} }],
    ['stream.bisect', 'advice', { BisectBatchOnFunctionError: undefined }],
    ['mapping.partial_responses', 'failed', { FunctionResponseTypes: [] }],
  ])('fails %s as %s with %j', async (check, verdict, more) => {
    const finding = await wrong(withMapping({ ...streamMapping, ...more } as never));
    expect(finding).toMatchObject({ check, verdict, fix: expect.any(String), terraform: expect.any(String) });
  });

  it('of DynamoDB keeps its records for a day, as long as results are kept', async () => {
    const mapping = { ...streamMapping, EventSourceArn: DYNAMODB, MaximumRecordAgeInSeconds: -1 };
    const findings = await examined(withMapping(mapping));
    expect(findings.find(({ check }) => check === 'stream.age')).toMatchObject({
      verdict: 'passed',
      subject: 'table/carts/stream/2026-01-01T00:00:00.000',
    });
  });

  it('of another service is not known to the layer', async () => {
    const mapping = { ...streamMapping, EventSourceArn: 'arn:aws:kafka:eu-west-1:111122223333:cluster/c' };
    expect(await wrong(withMapping(mapping))).toMatchObject({
      check: 'mapping.source',
      verdict: 'unchecked',
    });
    expect(await wrong(withMapping({}))).toMatchObject({ check: 'mapping.source', verdict: 'unchecked' });
  });
});

describe('what AWS does not tell', () => {
  const refused = async () => {
    throw Object.assign(new Error('You are not authorized.'), { name: 'AccessDeniedException' });
  };

  it.each([
    ['timeToLive', 'table.ttl', 'dynamodb:DescribeTimeToLive'],
    ['pointInTimeRecovery', 'table.recovery', 'dynamodb:DescribeContinuousBackups'],
    ['isManagedByAws', 'rights.key', 'kms:DescribeKey'],
    ['functionConfiguration', 'function.exists', 'lambda:GetFunctionConfiguration'],
    ['asyncSettings', 'async.retries', 'lambda:GetFunctionEventInvokeConfig'],
    ['mappings', 'mapping.partial_responses', 'lambda:ListEventSourceMappings'],
    ['queueAttributes', 'queue.visibility_timeout', 'sqs:GetQueueAttributes'],
  ])('of %s is not checked, and never passed', async (method, check, right) => {
    const finding = await wrong({ [method]: refused });
    expect(finding).toMatchObject({ check, verdict: 'unchecked', fix: expect.stringContaining(right) });
    expect(finding.detail).toContain('AccessDeniedException');
  });

  it('of the table leaves nothing that depends on it', async () => {
    const findings = await examined({ table: refused });
    expect(findings.filter(({ verdict }) => verdict !== 'passed').map(({ check }) => check)).toEqual([
      'table.exists',
      'rights.table',
    ]);
  });

  it('of rights', async () => {
    const findings = await examined({ simulate: refused });
    expect(findings.filter(({ verdict }) => verdict === 'unchecked').map(({ check }) => check)).toEqual([
      'rights.table',
      'rights.key',
      'rights.source',
      'rights.source',
    ]);
    expect(await wrong({ callerArn: refused }, { functions: [] })).toMatchObject({
      check: 'rights.table',
      verdict: 'unchecked',
    });
  });
});

describe('the report', () => {
  const finding = (verdict: Finding['verdict'], more: Partial<Finding> = {}): Finding => ({
    check: 'table.ttl',
    subject: 'records',
    verdict,
    detail: 'so it is',
    ...more,
  });

  it('has a verdict a line, and what to do about it', () => {
    const findings = [finding('passed'), finding('failed', { fix: 'Turn it on.', terraform: 'ttl {\n}' })];
    const report = reportOf(findings, summaryOf(findings));
    expect(report).toMatch(/passed +table\.ttl +records +so it is\n/);
    expect(report).toMatch(/FAILED +table\.ttl/);
    expect(report).toContain('table.ttl of records: Turn it on.\n    ttl {\n    }');
    expect(report).toMatch(/\n1 passed, 1 failed, 0 advice, 0 not checked$/);
  });

  it('ends with the worst of it', () => {
    expect(exitOf(summaryOf([finding('passed'), finding('advice')]))).toBe('done');
    expect(exitOf(summaryOf([finding('unchecked'), finding('advice')]))).toBe('unchecked');
    expect(exitOf(summaryOf([finding('unchecked'), finding('failed')]))).toBe('unhealthy');
  });

  it('has nothing to do where all is well', () => {
    const findings = [finding('passed')];
    expect(reportOf(findings, summaryOf(findings))).not.toContain('What to do');
  });
});
