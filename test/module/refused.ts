/** Inputs that the module refuses, each by one rule of variables.tf, and inputs at the very limits, which it takes. */

export type Variables = Record<string, unknown>;

/** What is wrong; the inputs; what the module says about them, in full. */
export type Refusal = [title: string, variables: Variables, message: string];

const key = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const own = {
  create_table: false,
  table_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/own',
  table_name: 'own',
};
const failed = { arn: 'arn:aws:sqs:eu-west-1:123456789012:failed' };
const topic = 'arn:aws:sns:eu-west-1:123456789012:orders';
const queue = (settings: object = {}) => ({ function_timeout: 30, ...settings });
const existing = (settings: object = {}) => ({ function_timeout: 30, visibility_timeout: 180, ...settings });
const mail = (settings: object = {}) => ({ function_name: 'mail', ...settings });
const stream = (settings: object = {}) => ({
  event_source_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/payments',
  function_name: 'ledger',
  on_failure: failed,
  ...settings,
});
/**
 * A case for all that is wrong with entries of an option, and one for each by itself, since beside another it could
 * pass unseen. An entry has its value and what the message has of it after its key; `''` for the key alone.
 */
function each(
  title: string,
  option: string,
  entries: Record<string, [value: unknown, detail: string]>,
  message: (wrong: string) => string,
  others: Variables = {},
): Refusal[] {
  const wrong = (keys: string[]): Refusal => [
    `${title}: ${keys.join(', ')}`,
    { ...others, [option]: Object.fromEntries(keys.map((name) => [name, entries[name]?.[0]])) },
    message(keys.map((name) => `${name} ${entries[name]?.[1]}`.trim()).join(', ')),
  ];
  const keys = Object.keys(entries).sort();
  return [wrong(keys), ...keys.map((name) => wrong([name]))];
}

const long = (length: number) => 'x'.repeat(length);
const forever = { keep_for_seconds: 1e9 };

const basics: Refusal[] = [
  [
    'a name with a space',
    { name: 'my shop' },
    'name is "my shop", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance "orders".',
  ],
  [
    'a name that is too short',
    { name: 'ab' },
    'name is "ab", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance "orders".',
  ],
  [
    'a name that is too long',
    { name: long(65) },
    `name is "${long(65)}", but it must be 3 to 64 letters, digits, hyphens and underscores, since tables, layers, policies and queues are named after it. Choose another, for instance "orders".`,
  ],
  [
    'retention for no time',
    { keep_for_seconds: 0 },
    'keep_for_seconds is 0, but it must be a whole number of seconds of at least 1. 86400, a day, suits most.',
  ],
  [
    'retention for part of a second',
    { keep_for_seconds: 1.5 },
    'keep_for_seconds is 1.5, but it must be a whole number of seconds of at least 1. 86400, a day, suits most.',
  ],
  ...[`alias/own`, `x${key}`, `${key}/own`].map(
    (arn): Refusal => [
      `what is not the ARN of a key: ${arn}`,
      { kms_key_arn: arn },
      `kms_key_arn is "${arn}", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.`,
    ],
  ),
  ...['shop', '/shop', 'shop/', '/my shop/', `/${long(511)}/`].map(
    (path): Refusal => [
      `a path of policies that is none or too long: ${path}`,
      { policy_path: path },
      `policy_path is "${path}", but it must begin and end with a slash and have at most 512 characters. Use for instance "/idempotency/".`,
    ],
  ),
];

const tables: Refusal[] = [
  [
    'an own table without a name',
    { ...own, table_name: null },
    'create_table is false, but table_name is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created.',
  ],
  [
    'an own table without an ARN',
    { ...own, table_arn: null },
    'create_table is false, but table_arn is not set. Set table_name and table_arn of your own table, or leave create_table out to have one created.',
  ],
  [
    'the name of an own table, and a table that is created',
    { table_name: 'own' },
    'table_name is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_name out.',
  ],
  [
    'the ARN of an own table, and a table that is created',
    { table_arn: own.table_arn },
    'table_arn is set, but create_table is true, so that another table would be created and used. Set create_table = false to use your own, or leave table_arn out.',
  ],
  ...['arn:aws:s3:::bucket/own', `x${own.table_arn}`, `${own.table_arn}/index/own`].map(
    (arn): Refusal => [
      `what is not the ARN of a table: ${arn}`,
      { ...own, table_arn: arn },
      `table_arn is "${arn}", but it must be the ARN of a table, arn:<partition>:dynamodb:<region>:<account>:table/<name>. Use aws_dynamodb_table.<name>.arn.`,
    ],
  ),
  [
    'name and ARN of two tables',
    { ...own, table_name: 'other' },
    'table_arn is "arn:aws:dynamodb:eu-west-1:123456789012:table/own" and table_name is "other", but they must be of the same table, or functions may not use the one that they are told to. Take both from the same aws_dynamodb_table.',
  ],
  ...['alias/own', `x${key}`, `${key}/own`].map(
    (arn): Refusal => [
      `what is not the ARN of the table’s key: ${arn}`,
      { table_kms_key_arn: arn },
      `table_kms_key_arn is "${arn}", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.`,
    ],
  ),
  [
    'an unknown storage class',
    { table_class: 'CHEAP' },
    'table_class is "CHEAP", but DynamoDB knows STANDARD and STANDARD_INFREQUENT_ACCESS only. Leave it out for STANDARD.',
  ],
  [
    'a throughput of nothing',
    { table_maximum_throughput: { read: 0 } },
    'table_maximum_throughput is {"read":0,"write":null}, but read and write must be whole numbers of request units a second of at least 1. Leave one out for no bound.',
  ],
  [
    'a throughput of part of a unit',
    { table_maximum_throughput: { read: 1, write: 1.5 } },
    'table_maximum_throughput is {"read":1,"write":1.5}, but read and write must be whole numbers of request units a second of at least 1. Leave one out for no bound.',
  ],
  [
    'backups for no day',
    { table_recovery_period_days: 0 },
    'table_recovery_period_days is 0, but DynamoDB keeps backups for a whole number of days from 1 to 35. Leave it out for 35.',
  ],
  [
    'backups for too many days',
    { table_recovery_period_days: 36 },
    'table_recovery_period_days is 36, but DynamoDB keeps backups for a whole number of days from 1 to 35. Leave it out for 35.',
  ],
  [
    'backups for part of a day',
    { table_recovery_period_days: 1.5 },
    'table_recovery_period_days is 1.5, but DynamoDB keeps backups for a whole number of days from 1 to 35. Leave it out for 35.',
  ],
  ...['1eu-west-1', 'eu-central', 'eu-west-1a', 'frankfurt', 'x-west-1'].map(
    (region): Refusal => [
      `a replica by what is no region: ${region}`,
      { table_replicas: { 'eu-west-1': {}, [region]: {} } },
      `table_replicas must be by region. Not so: "${region}". Use for instance "eu-west-1".`,
    ],
  ),
  [
    'replicas of an own table',
    { ...own, table_replicas: { 'eu-central-1': {} } },
    'table_replicas is set for eu-central-1, but create_table is false: the module replicates only a table that it creates. Replicate your own table where you create it, or leave table_replicas out.',
  ],
  [
    'a replica with a key, of a table without',
    { table_replicas: { 'eu-central-1': { kms_key_arn: key }, 'eu-west-1': {} } },
    'All replicas of a table need the same kind of key as the table itself, which has no customer managed one. Leave kms_key_arn of these out, or set kms_key_arn of the module: eu-central-1.',
  ],
  [
    'a replica without a key, of a table with one',
    { kms_key_arn: key, table_replicas: { 'eu-central-1': { kms_key_arn: key }, 'eu-west-1': {} } },
    'All replicas of a table need the same kind of key as the table itself, which has a customer managed one. Set kms_key_arn of these, or leave out kms_key_arn of the module: eu-west-1.',
  ],
  [
    'a replica without a key, of a table with one of its own',
    { table_kms_key_arn: key, table_replicas: { 'eu-west-1': {} } },
    'All replicas of a table need the same kind of key as the table itself, which has a customer managed one. Set kms_key_arn of these, or leave out kms_key_arn of the module: eu-west-1.',
  ],
  [
    'a resource policy that is no JSON',
    { table_resource_policy: { json: 'allow all' } },
    'table_resource_policy.json is not JSON. Use jsonencode({ Version = "2012-10-17", Statement = [ … ] }).',
  ],
  [
    'a resource policy of an own table',
    { ...own, table_resource_policy: { json: '{}' } },
    'table_resource_policy is set, but create_table is false: the module leaves your own table as it is. Use aws_dynamodb_resource_policy where you create it.',
  ],
];

const layers: Refusal[] = [
  [
    'a layer of two zips',
    { layer_zip: 'layer.zip', layer_s3_object: { bucket: 'artifacts', key: 'layer.zip' } },
    'layer_s3_object and layer_zip are both set, but the layer has one zip. Leave one of them out.',
  ],
  ...['a b', '', long(101)].map(
    (id): Refusal => [
      `a grant by a key that is no statement id: ${id}`,
      { layer_permissions: { [id]: { account_id: '123456789012' } } },
      `The keys of layer_permissions are statement ids of at most 100 letters, digits, hyphens and underscores. Not so: "${id}". Choose plainer keys.`,
    ],
  ),
  ...each(
    'grants to nobody, or to two',
    'layer_permissions',
    {
      both: [{ account_id: '123456789012', organization_id: 'o-a1b2c3d4e5' }, ''],
      neither: [{}, ''],
    },
    (wrong) =>
      `An entry of layer_permissions must be either an account_id or an organization_id. Not so: ${wrong}. Make two entries for both.`,
  ),
  ...each(
    'grants to what is no account',
    'layer_permissions',
    {
      long: [{ account_id: '1234567890123' }, '("1234567890123")'],
      short: [{ account_id: '12345678901' }, '("12345678901")'],
      word: [{ account_id: 'everybody' }, '("everybody")'],
    },
    (wrong) =>
      `account_id in layer_permissions must be 12 digits. Not so: ${wrong}. For everyone of an organisation use organization_id.`,
  ),
  ...each(
    'grants to what is no organisation',
    'layer_permissions',
    {
      before: [{ organization_id: 'xo-a1b2c3d4e5' }, '("xo-a1b2c3d4e5")'],
      long: [{ organization_id: `o-${long(33)}` }, `("o-${long(33)}")`],
      short: [{ organization_id: 'o-a1b2c3d4e' }, '("o-a1b2c3d4e")'],
      unit: [{ organization_id: 'ou-a1b2-c3d4e5f6' }, '("ou-a1b2-c3d4e5f6")'],
      upper: [{ organization_id: 'o-A1B2C3D4E5' }, '("o-A1B2C3D4E5")'],
    },
    (wrong) =>
      `organization_id in layer_permissions must look like o-a1b2c3d4e5. Not so: ${wrong}. Use aws_organizations_organization.<name>.id.`,
  ),
  ...['nodejs20.x', 'python3.13', 'nodejs22.x.y', 'my-nodejs22.x', 'nodejs22'].map(
    (runtime): Refusal => [
      `a runtime that the layer does not run on: ${runtime}`,
      { compatible_runtimes: ['nodejs22.x', runtime] },
      `compatible_runtimes is [nodejs22.x, ${runtime}], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].`,
    ],
  ),
  [
    'no runtime',
    { compatible_runtimes: [] },
    'compatible_runtimes is [], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].',
  ],
  [
    'an unknown instruction set',
    { compatible_architectures: ['arm64', 'arm'] },
    'compatible_architectures is [arm64, arm], but Lambda knows arm64 and x86_64 only. Use one of them or both.',
  ],
  [
    'no instruction set',
    { compatible_architectures: [] },
    'compatible_architectures is [], but Lambda knows arm64 and x86_64 only. Use one of them or both.',
  ],
];

const permissions: Refusal[] = [
  ...each(
    'roles that are not named',
    'role_names',
    {
      arn: ['arn:aws:iam::123456789012:role/orders', '= "arn:aws:iam::123456789012:role/orders"'],
      long: [long(65), `= "${long(65)}"`],
      nothing: [null, '= null'],
      path: ['shop/orders', '= "shop/orders"'],
    },
    (wrong) =>
      `role_names must hold names of roles, not ARNs or paths. Not so: ${wrong}. Use aws_iam_role.<name>.name.`,
  ),
  ...['a b', '', long(115)].map(
    (name): Refusal => [
      `a role by a key that does not fit into names of policies: ${name}`,
      { role_names: { [name]: 'orders' } },
      `The keys of role_names are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: "shop-${name}-consumer". Choose shorter or plainer keys.`,
    ],
  ),
  [
    'a role that belongs to no function',
    { functions: { orders: {} }, role_names: { orders: 'orders', refunds: 'refunds' } },
    'functions keeps the records of each function from the others, but role_names has roles that belong to none of them: refunds. Use the same keys in both.',
  ],
  ...['a b', '', long(124)].map(
    (name): Refusal => [
      `a function by a key that does not fit into names of policies: ${name}`,
      { functions: { [name]: {} } },
      `The keys of functions are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: "shop-${name}". Choose shorter or plainer keys.`,
    ],
  ),
  ...each(
    'prefixes that mean something else in a policy',
    'functions',
    {
      after: [{ key_prefix: 'any*' }, '("any*")'],
      before: [{ key_prefix: '*any' }, '("*any")'],
      empty: [{ key_prefix: '' }, '("")'],
      long: [{ key_prefix: long(257) }, `("${long(257)}")`],
      one: [{ key_prefix: 'one?' }, '("one?")'],
      variable: [{ key_prefix: '$' + '{aws:username}' }, '("$' + '{aws:username}")'],
    },
    (wrong) =>
      `key_prefix of a function must be 1 to 256 characters without *, ? and $, which mean something else in a policy. Not so: ${wrong}. Leave it out for the function's key and #.`,
  ),
  [
    'prefixes that begin with another’s',
    { functions: { mail: { key_prefix: 'order' }, orders: {} } },
    'No key_prefix may begin with another\'s, or one function could read the other\'s results. Not so: orders ("orders#" begins with "order" of mail). End each with a separator, for instance "orders#".',
  ],
  [
    'prefixes that are the same',
    { functions: { mail: { key_prefix: 'orders#' }, orders: {} } },
    'No key_prefix may begin with another\'s, or one function could read the other\'s results. Not so: orders ("orders#" begins with "orders#" of mail), mail ("orders#" begins with "orders#" of orders). End each with a separator, for instance "orders#".',
  ],
];

const queues: Refusal[] = [
  ...['a b', '', long(72)].map(
    (name): Refusal => [
      `a queue by a key that does not fit into names of queues: ${name}`,
      { queues: { [name]: queue() } },
      `The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: "shop-${name}-dlq". Choose shorter or plainer keys.`,
    ],
  ),
  [
    'a FIFO queue by a key that does not fit into names of queues',
    { queues: { [long(67)]: queue({ fifo: true }) } },
    `The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: "shop-${long(67)}-dlq.fifo". Choose shorter or plainer keys.`,
  ],
  [
    'queues by the names of others’ dead-letter queues',
    {
      queues: {
        orders: queue(),
        'orders-dlq': queue(),
        refunds: queue({ fifo: true }),
        'refunds-dlq': queue({ fifo: true }),
      },
    },
    'A queue may not have the name of another\'s dead-letter queue. Not so: "shop-orders-dlq", "shop-refunds-dlq.fifo". Choose another key.',
  ],
  ...each(
    'functions that run for no time, for too long or for part of a second',
    'queues',
    {
      no_time: [queue({ function_timeout: 0 }), '(0)'],
      part_second: [queue({ function_timeout: 1.5 }), '(1.5)'],
      too_long: [queue({ function_timeout: 901 }), '(901)'],
    },
    (wrong) =>
      `function_timeout of a queue must be a whole number of seconds from 1 to 900. Not so: ${wrong}. Use the timeout of the function: aws_lambda_function.<name>.timeout.`,
  ),
  ...each(
    'T6: messages that are visible before their function ends, or hidden for too long',
    'queues',
    {
      part_second: [queue({ visibility_timeout: 200.5 }), '(visibility_timeout 200.5, function_timeout 30)'],
      too_early: [
        queue({ function_timeout: 900, visibility_timeout: 400 }),
        '(visibility_timeout 400, function_timeout 900)',
      ],
      too_late: [queue({ visibility_timeout: 43_201 }), '(visibility_timeout 43201, function_timeout 30)'],
    },
    (wrong) =>
      `visibility_timeout of a queue must be a whole number of seconds, no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: ${wrong}. Leave visibility_timeout out: 6 * function_timeout + batching_window is used then.`,
    forever,
  ),
  ...each(
    'batches of none, of too many or of part of a message',
    'queues',
    {
      huge: [queue({ batch_size: 10_001, batching_window: 1 }), '(10001)'],
      none: [queue({ batch_size: 0 }), '(0)'],
      part: [queue({ batch_size: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `batch_size of a queue must be a whole number from 1 to 10000. Not so: ${wrong}. Leave it out for 10.`,
  ),
  ...each(
    'windows before now, for too long or for part of a second',
    'queues',
    {
      long: [queue({ batching_window: 301 }), '(301)'],
      negative: [queue({ batching_window: -1 }), '(-1)'],
      part: [queue({ batching_window: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `batching_window of a queue must be a whole number of seconds from 0 to 300. Not so: ${wrong}. Leave it out for 0.`,
  ),
  [
    'a large batch without a window',
    { queues: { orders: queue({ batch_size: 11 }) } },
    'batch_size of a queue may be more than 10 only with a batching_window of at least 1 second. Not so: orders (batch_size 11, batching_window 0). Set batching_window, or batch_size to 10 or less.',
  ],
  ...each(
    'a concurrency of one, of too many or of part of a call',
    'queues',
    {
      part: [queue({ maximum_concurrency: 2.5 }), '(2.5)'],
      serial: [queue({ maximum_concurrency: 1 }), '(1)'],
      wild: [queue({ maximum_concurrency: 1001 }), '(1001)'],
    },
    (wrong) =>
      `maximum_concurrency of a queue must be a whole number from 2 to 1000. Not so: ${wrong}. Leave it out for no limit.`,
  ),
  ...each(
    'too few, too many or part of a delivery',
    'queues',
    {
      impatient: [queue({ max_receive_count: 4 }), '(4)'],
      part: [queue({ max_receive_count: 5.5 }), '(5.5)'],
      patient: [queue({ max_receive_count: 1001 }), '(1001)'],
    },
    (wrong) =>
      `max_receive_count of a queue must be a whole number from 5 to 1000: below 5, throttled deliveries alone move good messages to the dead-letter queue. Not so: ${wrong}. Leave it out for 5.`,
    forever,
  ),
  [
    'a queue for a role that is not named',
    { role_names: { mail: 'mail', orders: 'orders' }, queues: { orders: queue({ role_key: 'refunds' }) } },
    'role_key of a queue must be a key of role_names, which are [mail, orders]. Not so: orders ("refunds"). Add the role to role_names, or correct the key.',
  ],
  [
    'a queue that is mapped to no function',
    { queues: { orders: queue({ event_source_mapping: true }) } },
    'event_source_mapping of a queue is true, but no function is named: orders. Set function_name, or leave event_source_mapping out.',
  ],
  ...each(
    'FIFO queues with large batches or windows',
    'queues',
    {
      large: [
        queue({ fifo: true, batch_size: 11, batching_window: 1 }),
        '(batch_size 11, batching_window 1)',
      ],
      window: [queue({ fifo: true, batching_window: 1 }), '(batch_size 10, batching_window 1)'],
    },
    (wrong) =>
      `A FIFO queue takes a batch_size of at most 10 and no batching_window. Not so: ${wrong}. Leave both out.`,
  ),
  ...each(
    'settings of FIFO queues for others',
    'queues',
    {
      deduplicated: [queue({ content_based_deduplication: true }), ''],
      fast: [queue({ high_throughput: true }), ''],
    },
    (wrong) =>
      `content_based_deduplication and high_throughput are for FIFO queues only. Not so: ${wrong}. Set fifo = true, or leave them out.`,
  ),
  ...each(
    'filters of a queue that are no objects, or too many',
    'queues',
    {
      list: [queue({ filter_patterns: ['[1]'] }), '(["[1]"])'],
      number: [queue({ filter_patterns: ['1'] }), '(["1"])'],
      six: [
        queue({ filter_patterns: ['{}', '{}', '{}', '{}', '{}', '{}'] }),
        '(["{}","{}","{}","{}","{}","{}"])',
      ],
      text: [queue({ filter_patterns: ['{}', 'order'] }), '(["{}","order"])'],
    },
    (wrong) =>
      `filter_patterns of a queue must be at most 5 JSON objects. Not so: ${wrong}. Use jsonencode({ body = { … } }); Lambda takes more than 5 only on request, and drops what matches none.`,
  ),
  ...each(
    'senders without a service or an ARN',
    'queues',
    Object.fromEntries(
      [
        ['sns', topic],
        ['xsns_amazonaws.com', topic],
        ['/sns.amazonaws.com', topic],
        ['sns.amazonaws.com.example.com', topic],
        ['sns.amazonaws.com', 'orders'],
        ['sns.amazonaws.com', `x${topic}`],
      ].map(([service, source_arn], index) => [
        `queue${index}`,
        [
          queue({ senders: { sender: { service, source_arn } } }),
          `(service "${service}", source_arn "${source_arn}")`,
        ],
      ]),
    ),
    (wrong) =>
      `A sender of a queue must have the service that sends and the ARN it sends for. Not so: ${wrong.replace(/(queue\d)/g, '$1/sender')}. Use for instance { service = "sns.amazonaws.com", source_arn = aws_sns_topic.<name>.arn }.`,
  ),
  ...each(
    'retention that ends before messages come again',
    'queues',
    {
      often: [
        queue({ function_timeout: 1, max_receive_count: 150 }),
        '(150 deliveries * visibility timeout 6 = 900)',
      ],
      slow: [
        queue({ function_timeout: 1, visibility_timeout: 200 }),
        '(5 deliveries * visibility timeout 200 = 1000)',
      ],
      usual: [queue(), '(5 deliveries * visibility timeout 180 = 900)'],
      window: [
        queue({ function_timeout: 29, batching_window: 6 }),
        '(5 deliveries * visibility timeout 180 = 900)',
      ],
    },
    (wrong) =>
      `keep_for_seconds is 899, but a message may come again later than that, and would run again: ${wrong}. Raise keep_for_seconds, or lower max_receive_count.`,
    { keep_for_seconds: 899 },
  ),
];

const existingQueues: Refusal[] = [
  ...each(
    'functions of existing queues that run for no time, for too long or for part of a second',
    'existing_queues',
    {
      no_time: [existing({ function_timeout: 0 }), '(0)'],
      part: [existing({ function_timeout: 1.5 }), '(1.5)'],
      too_long: [existing({ function_timeout: 901, visibility_timeout: 901 }), '(901)'],
    },
    (wrong) =>
      `function_timeout of an existing queue must be a whole number from 1 to 900. Not so: ${wrong}. Use the timeout of the function: aws_lambda_function.<name>.timeout.`,
  ),
  ...each(
    'windows of existing queues before now, for too long or for part of a second',
    'existing_queues',
    {
      long: [existing({ batching_window: 301 }), '(301)'],
      negative: [existing({ batching_window: -1 }), '(-1)'],
      part: [existing({ batching_window: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `batching_window of an existing queue must be a whole number from 0 to 300. Not so: ${wrong}. Use maximum_batching_window_in_seconds of its aws_lambda_event_source_mapping.`,
  ),
  ...each(
    'messages of existing queues that are visible before their function ends, or hidden for too long',
    'existing_queues',
    {
      too_early: [
        existing({ visibility_timeout: 29, batching_window: 5 }),
        '(visibility_timeout 29, function_timeout 30: set 185)',
      ],
      too_late: [
        existing({ visibility_timeout: 43_201 }),
        '(visibility_timeout 43201, function_timeout 30: set 180)',
      ],
    },
    (wrong) =>
      `visibility_timeout of an existing queue must be no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: ${wrong}. Set visibility_timeout_seconds of the aws_sqs_queue.`,
  ),
];

const asyncFunctions: Refusal[] = [
  ...each(
    'asynchronous retries before the first try, too many or in part',
    'async_functions',
    {
      many: [mail({ maximum_retry_attempts: 3 }), '(3)'],
      negative: [mail({ maximum_retry_attempts: -1 }), '(-1)'],
      part: [mail({ maximum_retry_attempts: 0.5 }), '(0.5)'],
    },
    (wrong) =>
      `maximum_retry_attempts of an asynchronous function must be a whole number from 0 to 2. Not so: ${wrong}. Leave it out for 2.`,
  ),
  ...each(
    'asynchronous events that are given up too early, too late or within a second',
    'async_functions',
    {
      early: [mail({ maximum_event_age: 59 }), '(59)'],
      late: [mail({ maximum_event_age: 21_601 }), '(21601)'],
      part: [mail({ maximum_event_age: 60.5 }), '(60.5)'],
    },
    (wrong) =>
      `maximum_event_age of an asynchronous function must be a whole number from 60 to 21600. Not so: ${wrong}. It is in seconds; leave it out for 21600.`,
  ),
  [
    'an asynchronous function of a role that is not named',
    { role_names: { mail: 'mail' }, async_functions: { mail: mail({ role_key: 'orders' }) } },
    'role_key of an asynchronous function must be a key of role_names, which are [mail]. Not so: mail ("orders"). Add the role to role_names, or correct the key.',
  ],
  ...each(
    'destinations that an asynchronous function cannot have',
    'async_functions',
    {
      before: [
        mail({ on_failure: { arn: 'xarn:aws:sqs:eu-west-1:123456789012:failed' } }),
        '("xarn:aws:sqs:eu-west-1:123456789012:failed")',
      ],
      queue: [
        mail({ on_failure: { arn: 'arn:aws:sqs:eu-west-1:123456789012:failed.fifo' } }),
        '("arn:aws:sqs:eu-west-1:123456789012:failed.fifo")',
      ],
      table: [
        mail({ on_failure: { arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/failed' } }),
        '("arn:aws:dynamodb:eu-west-1:123456789012:table/failed")',
      ],
      topic: [
        mail({ on_failure: { arn: 'arn:aws:sns:eu-west-1:123456789012:failed.fifo' } }),
        '("arn:aws:sns:eu-west-1:123456789012:failed.fifo")',
      ],
    },
    (wrong) =>
      `on_failure of an asynchronous function must be the ARN of a queue, topic, function, event bus or bucket, and not FIFO, which Lambda cannot send to. Not so: ${wrong}. Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.`,
  ),
  ...each(
    'aliases in place of the key of an asynchronous function’s destination',
    'async_functions',
    {
      after: [mail({ on_failure: { ...failed, kms_key_arn: `${key}/own` } }), `("${key}/own")`],
      alias: [mail({ on_failure: { ...failed, kms_key_arn: 'alias/own' } }), '("alias/own")'],
      before: [mail({ on_failure: { ...failed, kms_key_arn: `x${key}` } }), `("x${key}")`],
    },
    (wrong) =>
      `kms_key_arn of an asynchronous function must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: ${wrong}. Use aws_kms_key.<name>.arn.`,
  ),
  [
    'retention that ends before asynchronous events do',
    {
      keep_for_seconds: 3600,
      async_functions: { good: mail({ maximum_event_age: 3600 }), mail: mail({ maximum_event_age: 3601 }) },
    },
    'keep_for_seconds is 3600, but an asynchronous event may come again later than that, and would run again: mail (maximum_event_age 3601). Raise keep_for_seconds, or lower maximum_event_age.',
  ],
];

const streams: Refusal[] = [
  ...each(
    'streams that are none',
    'streams',
    {
      after: [
        stream({ event_source_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/payments/consumer/1' }),
        '("arn:aws:kinesis:eu-west-1:123456789012:stream/payments/consumer/1")',
      ],
      before: [
        stream({ event_source_arn: 'xarn:aws:kinesis:eu-west-1:123456789012:stream/payments' }),
        '("xarn:aws:kinesis:eu-west-1:123456789012:stream/payments")',
      ],
      queue: [
        stream({ event_source_arn: 'arn:aws:sqs:eu-west-1:123456789012:failed' }),
        '("arn:aws:sqs:eu-west-1:123456789012:failed")',
      ],
      table: [
        stream({ event_source_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders' }),
        '("arn:aws:dynamodb:eu-west-1:123456789012:table/orders")',
      ],
    },
    (wrong) =>
      `event_source_arn of a stream must be the ARN of a stream of Kinesis or DynamoDB. Not so: ${wrong}. Use aws_kinesis_stream.<name>.arn or aws_dynamodb_table.<name>.stream_arn.`,
  ),
  [
    'a stream of a role that is not named',
    { role_names: { ledger: 'ledger' }, streams: { ledger: stream({ role_key: 'orders' }) } },
    'role_key of a stream must be a key of role_names, which are [ledger]. Not so: ledger ("orders"). Add the role to role_names, or correct the key.',
  ],
  [
    'a position that no stream starts at',
    { streams: { ledger: stream({ starting_position: 'AT_TIMESTAMP' }) } },
    'starting_position of a stream must be TRIM_HORIZON or LATEST. Not so: ledger ("AT_TIMESTAMP"). Leave it out for TRIM_HORIZON, which misses nothing.',
  ],
  ...each(
    'batches of no record, of too many or of part of one',
    'streams',
    {
      huge: [stream({ batch_size: 10_001 }), '(10001)'],
      none: [stream({ batch_size: 0 }), '(0)'],
      part: [stream({ batch_size: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `batch_size of a stream must be a whole number from 1 to 10000. Not so: ${wrong}. Leave it out for 100.`,
  ),
  ...each(
    'windows of a stream before now, for too long or for part of a second',
    'streams',
    {
      long: [stream({ batching_window: 301 }), '(301)'],
      negative: [stream({ batching_window: -1 }), '(-1)'],
      part: [stream({ batching_window: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `batching_window of a stream must be a whole number from 0 to 300. Not so: ${wrong}. It is in seconds; leave it out for 0.`,
  ),
  ...each(
    'shards that are handled not at all, too often or in part',
    'streams',
    {
      many: [stream({ parallelization_factor: 11 }), '(11)'],
      none: [stream({ parallelization_factor: 0 }), '(0)'],
      part: [stream({ parallelization_factor: 1.5 }), '(1.5)'],
    },
    (wrong) =>
      `parallelization_factor of a stream must be a whole number from 1 to 10. Not so: ${wrong}. Leave it out for 1.`,
  ),
  ...each(
    'retries of a batch without end, too many or in part',
    'streams',
    {
      endless: [stream({ maximum_retry_attempts: -1 }), '(-1)'],
      many: [stream({ maximum_retry_attempts: 10_001 }), '(10001)'],
      part: [stream({ maximum_retry_attempts: 0.5 }), '(0.5)'],
    },
    (wrong) =>
      `maximum_retry_attempts of a stream must be a whole number from 0 to 10000. Not so: ${wrong}. Leave it out for 10.`,
  ),
  ...each(
    'records that are given up too early, too late or within a second',
    'streams',
    {
      early: [stream({ maximum_record_age: 59 }), '(59)'],
      late: [stream({ maximum_record_age: 604_801 }), '(604801)'],
      part: [stream({ maximum_record_age: 60.5 }), '(60.5)'],
    },
    (wrong) =>
      `maximum_record_age of a stream must be a whole number from 60 to 604800. Not so: ${wrong}. It is in seconds; leave it out for 86400.`,
    forever,
  ),
  [
    'records that are lost when they are given up',
    { streams: { ledger: stream({ on_failure: null }) } },
    'A stream needs on_failure, or records that are given up are lost. Not so: ledger. Set on_failure = { arn = aws_sqs_queue.<name>.arn }.',
  ],
  ...each(
    'destinations that a stream cannot have',
    'streams',
    {
      before: [
        stream({ on_failure: { arn: 'xarn:aws:sqs:eu-west-1:123456789012:failed' } }),
        '("xarn:aws:sqs:eu-west-1:123456789012:failed")',
      ],
      bus: [
        stream({ on_failure: { arn: 'arn:aws:events:eu-west-1:123456789012:event-bus/failed' } }),
        '("arn:aws:events:eu-west-1:123456789012:event-bus/failed")',
      ],
      function: [
        stream({ on_failure: { arn: 'arn:aws:lambda:eu-west-1:123456789012:function:failed' } }),
        '("arn:aws:lambda:eu-west-1:123456789012:function:failed")',
      ],
      queue: [
        stream({ on_failure: { arn: 'arn:aws:sqs:eu-west-1:123456789012:failed.fifo' } }),
        '("arn:aws:sqs:eu-west-1:123456789012:failed.fifo")',
      ],
      topic: [
        stream({ on_failure: { arn: 'arn:aws:sns:eu-west-1:123456789012:failed.fifo' } }),
        '("arn:aws:sns:eu-west-1:123456789012:failed.fifo")',
      ],
    },
    (wrong) =>
      `on_failure of a stream must be the ARN of a queue, topic or bucket, and not FIFO, which Lambda cannot send to. Not so: ${wrong}. Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.`,
  ),
  ...each(
    'aliases in place of the keys of a stream or its destination',
    'streams',
    {
      after: [stream({ kms_key_arn: `${key}/own` }), `("${key}/own")`],
      before: [stream({ kms_key_arn: `x${key}` }), `("x${key}")`],
      destination: [
        stream({ on_failure: { ...failed, kms_key_arn: 'alias/failed' }, kms_key_arn: key }),
        '("alias/failed")',
      ],
      stream: [stream({ kms_key_arn: 'alias/own' }), '("alias/own")'],
    },
    (wrong) =>
      `kms_key_arn of a stream must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: ${wrong}. Use aws_kms_key.<name>.arn.`,
  ),
  ...each(
    'filters of a stream that are no objects, or too many',
    'streams',
    {
      list: [stream({ filter_patterns: ['[1]'] }), '(["[1]"])'],
      number: [stream({ filter_patterns: ['1'] }), '(["1"])'],
      six: [
        stream({ filter_patterns: ['{}', '{}', '{}', '{}', '{}', '{}'] }),
        '(["{}","{}","{}","{}","{}","{}"])',
      ],
      text: [stream({ filter_patterns: ['{}', 'order'] }), '(["{}","order"])'],
    },
    (wrong) =>
      `filter_patterns of a stream must be at most 5 JSON objects. Not so: ${wrong}. Use jsonencode({ data = { … } }); Lambda takes more than 5 only on request, and drops what matches none.`,
  ),
  [
    'retention that ends before records do',
    {
      keep_for_seconds: 3600,
      streams: { good: stream({ maximum_record_age: 3600 }), ledger: stream({ maximum_record_age: 3601 }) },
    },
    'keep_for_seconds is 3600, but a record of a stream may come again later than that, and would run again: ledger (maximum_record_age 3601). Raise keep_for_seconds, or lower maximum_record_age.',
  ],
];

const monitoring: Refusal[] = [
  ...['AWS/Shop', 'my shop', '', long(256)].map(
    (namespace): Refusal => [
      `metrics in a namespace that CloudWatch refuses: ${namespace}`,
      { metrics: { namespace } },
      `namespace of metrics is "${namespace}", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency.`,
    ],
  ),
  ...['on-call', failed.arn, `x${topic}`, `${topic}:subscription`, topic.replace('9012', '901')].map(
    (arn): Refusal => [
      `an alarm for what is no topic: ${arn}`,
      { alarms: { topic_arns: [topic, arn] } },
      `topic_arns of alarms must be ARNs of SNS topics. Not so: "${arn}". Use aws_sns_topic.<name>.arn.`,
    ],
  ),
];

export const refusals: Refusal[] = [
  ...basics,
  ...tables,
  ...layers,
  ...permissions,
  ...queues,
  ...existingQueues,
  ...asyncFunctions,
  ...streams,
  ...monitoring,
];

const replicaKey = 'arn:aws:kms:eu-central-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab';

/** What the module takes: the limits themselves, and what looks wrong at first sight. */
export const accepted: [title: string, variables: Variables][] = [
  ['the shortest name', { name: 'a_-' }],
  ['the longest name', { name: long(64) }],
  ['retention for a second', { keep_for_seconds: 1 }],
  ['the longest path of policies', { policy_path: `/${long(510)}/` }],
  ['a path of more than one part', { policy_path: '/shop/idempotency/' }],
  ['keys of other partitions', { kms_key_arn: key.replace('aws', 'aws-cn') }],
  ['the longest and the shortest recovery', { table_recovery_period_days: 35 }],
  ['the shortest recovery', { table_recovery_period_days: 1 }],
  ['a bound of one unit', { table_maximum_throughput: { read: 1, write: 1 } }],
  ['a bound of writes only', { table_maximum_throughput: { write: 10 } }],
  ['no bound', { table_maximum_throughput: {} }],
  ['the other storage class', { table_class: 'STANDARD_INFREQUENT_ACCESS' }],
  ['an own table with a key', { ...own, table_kms_key_arn: key }],
  ['an own table of a name with dots', { ...own, table_arn: `${own.table_arn}.1`, table_name: 'own.1' }],
  [
    'replicas that all have keys, as the table has',
    {
      kms_key_arn: key,
      table_replicas: {
        'ap-southeast-1': { kms_key_arn: replicaKey },
        'us-gov-east-1': { kms_key_arn: replicaKey },
      },
    },
  ],
  ['a layer in S3', { layer_s3_object: { bucket: 'artifacts', key: 'layer.zip' } }],
  [
    'grants of the layer to an account and an organisation',
    {
      layer_permissions: {
        [long(100)]: { account_id: '012345678901' },
        all: { organization_id: 'o-a1b2c3d4e5' },
        longest: { organization_id: `o-${long(32)}` },
      },
    },
  ],
  ['later runtimes', { compatible_runtimes: ['nodejs22.x', 'nodejs24.x', 'nodejs100.x'] }],
  ['one runtime', { compatible_runtimes: ['nodejs22.x'] }],
  ['one instruction set', { compatible_architectures: ['x86_64'] }],
  ['the longest key of a role', { role_names: { [long(114)]: long(64) } }],
  ['the longest key of a function', { functions: { [long(123)]: { key_prefix: long(256) } } }],
  ['a function whose role is elsewhere', { functions: { mail: {}, orders: {} }, role_names: { mail: 'a' } }],
  [
    'prefixes that begin alike',
    { functions: { order: {}, orders: {}, 'order-lines': { key_prefix: 'order/' } } },
  ],
  ['prefixes with what a policy takes as it is', { functions: { orders: { key_prefix: 'shop:{1}/ä#' } } }],
  [
    'queues at the lower limits',
    {
      keep_for_seconds: 30,
      queues: {
        [long(71)]: queue({
          batch_size: 1,
          function_timeout: 1,
          max_receive_count: 5,
          maximum_concurrency: 2,
          visibility_timeout: 1,
        }),
      },
    },
  ],
  [
    'queues at the upper limits',
    {
      keep_for_seconds: 1000 * 43_200,
      queues: {
        most: queue({
          batch_size: 10_000,
          batching_window: 300,
          filter_patterns: ['{}', '{}', '{}', '{}', '{}'],
          function_timeout: 900,
          max_receive_count: 1000,
          maximum_concurrency: 1000,
          visibility_timeout: 43_200,
        }),
        large: queue({ batch_size: 11, batching_window: 1 }),
        [long(66)]: queue({ content_based_deduplication: true, fifo: true, high_throughput: true }),
      },
    },
  ],
  [
    'queues by the names of what others’ dead-letter queues would be',
    { queues: { 'mail-dlq': queue(), orders: queue({ fifo: true }), 'orders-dlq': queue() } },
  ],
  [
    'a function that is named and not mapped',
    { queues: { orders: queue({ event_source_mapping: false, function_name: 'orders' }) } },
  ],
  [
    'senders of all kinds',
    {
      queues: {
        orders: queue({
          senders: {
            bucket: { service: 's3.amazonaws.com', source_arn: 'arn:aws:s3:::orders' },
            rule: {
              service: 'events.amazonaws.com',
              source_arn: 'arn:aws:events:eu-west-1:123456789012:rule/*',
            },
          },
        }),
      },
    },
  ],
  [
    'existing queues at the limits',
    {
      existing_queues: {
        least: existing({ function_timeout: 1, visibility_timeout: 1 }),
        most: existing({ batching_window: 300, function_timeout: 900, visibility_timeout: 43_200 }),
      },
    },
  ],
  [
    'asynchronous functions at the limits, with destinations of all kinds',
    {
      keep_for_seconds: 21_600,
      async_functions: {
        bucket: mail({ on_failure: { arn: 'arn:aws:s3:::failed', kms_key_arn: key } }),
        bus: mail({ on_failure: { arn: 'arn:aws:events:eu-west-1:123456789012:event-bus/failed' } }),
        function: mail({ on_failure: { arn: 'arn:aws:lambda:eu-west-1:123456789012:function:failed' } }),
        least: mail({ maximum_event_age: 60, maximum_retry_attempts: 0 }),
        queue: mail({ on_failure: failed }),
        topic: mail({ on_failure: { arn: 'arn:aws:sns:eu-west-1:123456789012:failed' } }),
      },
    },
  ],
  [
    'streams at the limits, of both kinds, with destinations of all kinds',
    {
      keep_for_seconds: 604_800,
      streams: {
        least: stream({
          batch_size: 1,
          maximum_record_age: 60,
          maximum_retry_attempts: 0,
          on_failure: { arn: 'arn:aws:sns:eu-west-1:123456789012:failed' },
          starting_position: 'LATEST',
        }),
        most: stream({
          batch_size: 10_000,
          batching_window: 300,
          event_source_arn:
            'arn:aws:dynamodb:eu-west-1:123456789012:table/orders/stream/2026-01-01T00:00:00.000',
          filter_patterns: ['{}', '{}', '{}', '{}', '{}'],
          kms_key_arn: key,
          maximum_record_age: 604_800,
          maximum_retry_attempts: 10_000,
          on_failure: { arn: 'arn:aws:s3:::failed', kms_key_arn: key },
          parallelization_factor: 10,
        }),
      },
    },
  ],
  [
    'names of one letter',
    {
      functions: { a: { key_prefix: 'a' } },
      layer_permissions: { a: { account_id: '123456789012' } },
      metrics: { namespace: 'a' },
      queues: { a: queue() },
      role_names: { a: 'a' },
    },
  ],
  ['the longest namespace', { metrics: { namespace: long(255) } }],
  ['a namespace of parts', { metrics: { namespace: 'Shop.a-b_c/Orders#1' } }],
  ['alarms that tell nobody', { alarms: {} }],
  // What is missing or too much without `create` is not missed: nothing is created.
  ['nothing created, and no table of one’s own', { create: false, create_table: false }],
  ['nothing created, and two tables', { ...own, create: false, create_table: true }],
  [
    'nothing created, and replicas of an own table',
    { ...own, create: false, table_replicas: { 'eu-west-1': {} }, table_resource_policy: { json: '{}' } },
  ],
];
