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
const queue = (settings: object = {}) => ({ function_timeout: 30, ...settings });
const existing = (settings: object = {}) => ({ function_timeout: 30, visibility_timeout: 180, ...settings });
const mail = (settings: object = {}) => ({ function_name: 'mail', ...settings });
const stream = (settings: object = {}) => ({
  event_source_arn: 'arn:aws:kinesis:eu-west-1:123456789012:stream/payments',
  function_name: 'ledger',
  on_failure: failed,
  ...settings,
});
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
  [
    'an alias in place of a key',
    { kms_key_arn: 'alias/own' },
    'kms_key_arn is "alias/own", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.',
  ],
  [
    'a path of policies without slashes',
    { policy_path: 'shop' },
    'policy_path is "shop", but it must begin and end with a slash and have at most 512 characters. Use for instance "/idempotency/".',
  ],
  [
    'a path of policies that is too long',
    { policy_path: `/${long(511)}/` },
    `policy_path is "/${long(511)}/", but it must begin and end with a slash and have at most 512 characters. Use for instance "/idempotency/".`,
  ],
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
  [
    'the ARN of something that is no table',
    { ...own, table_arn: 'arn:aws:s3:::bucket/own' },
    'table_arn is "arn:aws:s3:::bucket/own", but it must be the ARN of a table, arn:<partition>:dynamodb:<region>:<account>:table/<name>. Use aws_dynamodb_table.<name>.arn.',
  ],
  [
    'name and ARN of two tables',
    { ...own, table_name: 'other' },
    'table_arn is "arn:aws:dynamodb:eu-west-1:123456789012:table/own" and table_name is "other", but they must be of the same table, or functions may not use the one that they are told to. Take both from the same aws_dynamodb_table.',
  ],
  [
    'an alias in place of the table’s key',
    { table_kms_key_arn: 'alias/own' },
    'table_kms_key_arn is "alias/own", but it must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Use aws_kms_key.<name>.arn.',
  ],
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
  [
    'replicas by names that are no regions',
    { table_replicas: { 'eu-west-1': {}, frankfurt: {}, 'eu-central': {} } },
    'table_replicas must be by region. Not so: "eu-central", "frankfurt". Use for instance "eu-west-1".',
  ],
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
  [
    'grants by keys that are no statement ids',
    {
      layer_permissions: {
        'a b': { account_id: '123456789012' },
        [long(101)]: { account_id: '123456789012' },
      },
    },
    `The keys of layer_permissions are statement ids of at most 100 letters, digits, hyphens and underscores. Not so: "a b", "${long(101)}". Choose plainer keys.`,
  ],
  [
    'grants to nobody, or to two',
    {
      layer_permissions: {
        both: { account_id: '123456789012', organization_id: 'o-a1b2c3d4e5' },
        neither: {},
      },
    },
    'An entry of layer_permissions must be either an account_id or an organization_id. Not so: both, neither. Make two entries for both.',
  ],
  [
    'grants to what is no account',
    { layer_permissions: { long: { account_id: '1234567890123' }, short: { account_id: '12345678901' } } },
    'account_id in layer_permissions must be 12 digits. Not so: long ("1234567890123"), short ("12345678901"). For everyone of an organisation use organization_id.',
  ],
  [
    'grants to what is no organisation',
    { layer_permissions: { unit: { organization_id: 'ou-a1b2-c3d4e5f6' } } },
    'organization_id in layer_permissions must look like o-a1b2c3d4e5. Not so: unit ("ou-a1b2-c3d4e5f6"). Use aws_organizations_organization.<name>.id.',
  ],
  [
    'a runtime that the layer does not run on',
    { compatible_runtimes: ['nodejs22.x', 'nodejs20.x'] },
    'compatible_runtimes is [nodejs22.x, nodejs20.x], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].',
  ],
  [
    'a runtime of another language',
    { compatible_runtimes: ['python3.13'] },
    'compatible_runtimes is [python3.13], but the layer is for Node.js 22 and later. Use for instance ["nodejs22.x"].',
  ],
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
  [
    'roles that are not named',
    {
      role_names: {
        arn: 'arn:aws:iam::123456789012:role/orders',
        good: 'a+b=c,d.e@f-g_h',
        long: long(65),
        path: 'shop/orders',
        nothing: null,
      },
    },
    `role_names must hold names of roles, not ARNs or paths. Not so: arn = "arn:aws:iam::123456789012:role/orders", long = "${long(65)}", nothing = null, path = "shop/orders". Use aws_iam_role.<name>.name.`,
  ],
  [
    'roles by keys that do not fit into names of policies',
    { role_names: { 'a b': 'orders', [long(115)]: 'orders' } },
    `The keys of role_names are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: "shop-a b-consumer", "shop-${long(115)}-consumer". Choose shorter or plainer keys.`,
  ],
  [
    'a role that belongs to no function',
    { functions: { orders: {} }, role_names: { orders: 'orders', refunds: 'refunds' } },
    'functions keeps the records of each function from the others, but role_names has roles that belong to none of them: refunds. Use the same keys in both.',
  ],
  [
    'functions by keys that do not fit into names of policies',
    { functions: { 'a b': {}, [long(124)]: {} } },
    `The keys of functions are parts of names of policies, of at most 128 letters, digits, hyphens and underscores. Not so: "shop-a b", "shop-${long(124)}". Choose shorter or plainer keys.`,
  ],
  [
    'prefixes that mean something else in a policy',
    {
      functions: {
        any: { key_prefix: 'any*' },
        empty: { key_prefix: '' },
        long: { key_prefix: long(257) },
        one: { key_prefix: 'one?' },
        variable: { key_prefix: '$' + '{aws:username}' },
      },
    },
    `key_prefix of a function must be 1 to 256 characters without *, ? and $, which mean something else in a policy. Not so: any ("any*"), empty (""), long ("${long(257)}"), one ("one?"), variable ("$` +
      '{aws:username}"). Leave it out for the function\'s key and #.',
  ],
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
  [
    'queues by keys that do not fit into names of queues',
    {
      queues: {
        'a b': queue(),
        [long(72)]: queue(),
        [long(67)]: queue({ fifo: true }),
      },
    },
    `The keys of queues are parts of names of at most 80 letters, digits, hyphens and underscores. Not so: "shop-a b-dlq", "shop-${long(67)}-dlq.fifo", "shop-${long(72)}-dlq". Choose shorter or plainer keys.`,
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
  [
    'functions that run for no time, for too long or for part of a second',
    {
      queues: {
        no_time: queue({ function_timeout: 0 }),
        part_second: queue({ function_timeout: 1.5 }),
        too_long: queue({ function_timeout: 901 }),
      },
    },
    'function_timeout of a queue must be a whole number of seconds from 1 to 900. Not so: no_time (0), part_second (1.5), too_long (901). Use the timeout of the function: aws_lambda_function.<name>.timeout.',
  ],
  [
    'T6: messages that are visible before their function ends, or hidden for too long',
    {
      ...forever,
      queues: {
        part_second: queue({ visibility_timeout: 200.5 }),
        too_early: queue({ function_timeout: 900, visibility_timeout: 400 }),
        too_late: queue({ visibility_timeout: 43_201 }),
      },
    },
    'visibility_timeout of a queue must be a whole number of seconds, no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: part_second (visibility_timeout 200.5, function_timeout 30), too_early (visibility_timeout 400, function_timeout 900), too_late (visibility_timeout 43201, function_timeout 30). Leave visibility_timeout out: 6 * function_timeout + batching_window is used then.',
  ],
  [
    'batches of none, of too many or of part of a message',
    {
      queues: {
        huge: queue({ batch_size: 10_001, batching_window: 1 }),
        none: queue({ batch_size: 0 }),
        part: queue({ batch_size: 1.5 }),
      },
    },
    'batch_size of a queue must be a whole number from 1 to 10000. Not so: huge (10001), none (0), part (1.5). Leave it out for 10.',
  ],
  [
    'windows before now, for too long or for part of a second',
    {
      queues: {
        long: queue({ batching_window: 301 }),
        negative: queue({ batching_window: -1 }),
        part: queue({ batching_window: 1.5 }),
      },
    },
    'batching_window of a queue must be a whole number of seconds from 0 to 300. Not so: long (301), negative (-1), part (1.5). Leave it out for 0.',
  ],
  [
    'a large batch without a window',
    { queues: { orders: queue({ batch_size: 11 }) } },
    'batch_size of a queue may be more than 10 only with a batching_window of at least 1 second. Not so: orders (batch_size 11, batching_window 0). Set batching_window, or batch_size to 10 or less.',
  ],
  [
    'a concurrency of one, of too many or of part of a call',
    {
      queues: {
        part: queue({ maximum_concurrency: 2.5 }),
        serial: queue({ maximum_concurrency: 1 }),
        wild: queue({ maximum_concurrency: 1001 }),
      },
    },
    'maximum_concurrency of a queue must be a whole number from 2 to 1000. Not so: part (2.5), serial (1), wild (1001). Leave it out for no limit.',
  ],
  [
    'too few, too many or part of a delivery',
    {
      ...forever,
      queues: {
        impatient: queue({ max_receive_count: 4 }),
        part: queue({ max_receive_count: 5.5 }),
        patient: queue({ max_receive_count: 1001 }),
      },
    },
    'max_receive_count of a queue must be a whole number from 5 to 1000: below 5, throttled deliveries alone move good messages to the dead-letter queue. Not so: impatient (4), part (5.5), patient (1001). Leave it out for 5.',
  ],
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
  [
    'FIFO queues with large batches or windows',
    {
      queues: {
        large: queue({ fifo: true, batch_size: 11, batching_window: 1 }),
        window: queue({ fifo: true, batching_window: 1 }),
      },
    },
    'A FIFO queue takes a batch_size of at most 10 and no batching_window. Not so: large (batch_size 11, batching_window 1), window (batch_size 10, batching_window 1). Leave both out.',
  ],
  [
    'settings of FIFO queues for others',
    {
      queues: {
        deduplicated: queue({ content_based_deduplication: true }),
        fast: queue({ high_throughput: true }),
      },
    },
    'content_based_deduplication and high_throughput are for FIFO queues only. Not so: deduplicated, fast. Set fifo = true, or leave them out.',
  ],
  [
    'filters of a queue that are no objects, or too many',
    {
      queues: {
        list: queue({ filter_patterns: ['[1]'] }),
        number: queue({ filter_patterns: ['1'] }),
        six: queue({ filter_patterns: ['{}', '{}', '{}', '{}', '{}', '{}'] }),
        text: queue({ filter_patterns: ['{}', 'order'] }),
      },
    },
    'filter_patterns of a queue must be at most 5 JSON objects. Not so: list (["[1]"]), number (["1"]), six (["{}","{}","{}","{}","{}","{}"]), text (["{}","order"]). Use jsonencode({ body = { … } }); Lambda takes more than 5 only on request, and drops what matches none.',
  ],
  [
    'senders without a service or an ARN',
    {
      queues: {
        orders: queue({
          senders: {
            name: { service: 'sns', source_arn: 'arn:aws:sns:eu-west-1:123456789012:orders' },
            topic: { service: 'sns.amazonaws.com', source_arn: 'orders' },
          },
        }),
      },
    },
    'A sender of a queue must have the service that sends and the ARN it sends for. Not so: orders/name (service "sns", source_arn "arn:aws:sns:eu-west-1:123456789012:orders"), orders/topic (service "sns.amazonaws.com", source_arn "orders"). Use for instance { service = "sns.amazonaws.com", source_arn = aws_sns_topic.<name>.arn }.',
  ],
  [
    'retention that ends before messages come again',
    {
      keep_for_seconds: 899,
      queues: {
        often: queue({ function_timeout: 1, max_receive_count: 150 }),
        slow: queue({ function_timeout: 1, visibility_timeout: 200 }),
        usual: queue(),
        window: queue({ function_timeout: 29, batching_window: 6 }),
        good: queue({ function_timeout: 29 }),
      },
    },
    'keep_for_seconds is 899, but a message may come again later than that, and would run again: often (150 deliveries * visibility timeout 6 = 900), slow (5 deliveries * visibility timeout 200 = 1000), usual (5 deliveries * visibility timeout 180 = 900), window (5 deliveries * visibility timeout 180 = 900). Raise keep_for_seconds, or lower max_receive_count.',
  ],
];

const existingQueues: Refusal[] = [
  [
    'functions of existing queues that run for no time, for too long or for part of a second',
    {
      existing_queues: {
        no_time: existing({ function_timeout: 0 }),
        part: existing({ function_timeout: 1.5 }),
        too_long: existing({ function_timeout: 901, visibility_timeout: 901 }),
      },
    },
    'function_timeout of an existing queue must be a whole number from 1 to 900. Not so: no_time (0), part (1.5), too_long (901). Use the timeout of the function: aws_lambda_function.<name>.timeout.',
  ],
  [
    'windows of existing queues before now, for too long or for part of a second',
    {
      existing_queues: {
        long: existing({ batching_window: 301 }),
        negative: existing({ batching_window: -1 }),
        part: existing({ batching_window: 1.5 }),
      },
    },
    'batching_window of an existing queue must be a whole number from 0 to 300. Not so: long (301), negative (-1), part (1.5). Use maximum_batching_window_in_seconds of its aws_lambda_event_source_mapping.',
  ],
  [
    'messages of existing queues that are visible before their function ends, or hidden for too long',
    {
      existing_queues: {
        too_early: existing({ visibility_timeout: 29, batching_window: 5 }),
        too_late: existing({ visibility_timeout: 43_201 }),
      },
    },
    'visibility_timeout of an existing queue must be no less than its function_timeout, below which Lambda refuses the queue, and at most 43200. Not so: too_early (visibility_timeout 29, function_timeout 30: set 185), too_late (visibility_timeout 43201, function_timeout 30: set 180). Set visibility_timeout_seconds of the aws_sqs_queue.',
  ],
];

const asyncFunctions: Refusal[] = [
  [
    'asynchronous retries before the first try, too many or in part',
    {
      async_functions: {
        many: mail({ maximum_retry_attempts: 3 }),
        negative: mail({ maximum_retry_attempts: -1 }),
        part: mail({ maximum_retry_attempts: 0.5 }),
      },
    },
    'maximum_retry_attempts of an asynchronous function must be a whole number from 0 to 2. Not so: many (3), negative (-1), part (0.5). Leave it out for 2.',
  ],
  [
    'asynchronous events that are given up too early, too late or within a second',
    {
      async_functions: {
        early: mail({ maximum_event_age: 59 }),
        late: mail({ maximum_event_age: 21_601 }),
        part: mail({ maximum_event_age: 60.5 }),
      },
    },
    'maximum_event_age of an asynchronous function must be a whole number from 60 to 21600. Not so: early (59), late (21601), part (60.5). It is in seconds; leave it out for 21600.',
  ],
  [
    'an asynchronous function of a role that is not named',
    { role_names: { mail: 'mail' }, async_functions: { mail: mail({ role_key: 'orders' }) } },
    'role_key of an asynchronous function must be a key of role_names, which are [mail]. Not so: mail ("orders"). Add the role to role_names, or correct the key.',
  ],
  [
    'destinations that an asynchronous function cannot have',
    {
      async_functions: {
        fifo: mail({ on_failure: { arn: `${failed.arn}.fifo` } }),
        table: mail({ on_failure: { arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/failed' } }),
      },
    },
    'on_failure of an asynchronous function must be the ARN of a queue, topic, function, event bus or bucket, and not FIFO, which Lambda cannot send to. Not so: fifo ("arn:aws:sqs:eu-west-1:123456789012:failed.fifo"), table ("arn:aws:dynamodb:eu-west-1:123456789012:table/failed"). Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.',
  ],
  [
    'an alias in place of the key of an asynchronous function’s destination',
    { async_functions: { mail: mail({ on_failure: { ...failed, kms_key_arn: 'alias/own' } }) } },
    'kms_key_arn of an asynchronous function must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: mail ("alias/own"). Use aws_kms_key.<name>.arn.',
  ],
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
  [
    'streams that are none',
    {
      streams: {
        queue: stream({ event_source_arn: failed.arn }),
        table: stream({ event_source_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders' }),
      },
    },
    'event_source_arn of a stream must be the ARN of a stream of Kinesis or DynamoDB. Not so: queue ("arn:aws:sqs:eu-west-1:123456789012:failed"), table ("arn:aws:dynamodb:eu-west-1:123456789012:table/orders"). Use aws_kinesis_stream.<name>.arn or aws_dynamodb_table.<name>.stream_arn.',
  ],
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
  [
    'batches of no record, of too many or of part of one',
    {
      streams: {
        huge: stream({ batch_size: 10_001 }),
        none: stream({ batch_size: 0 }),
        part: stream({ batch_size: 1.5 }),
      },
    },
    'batch_size of a stream must be a whole number from 1 to 10000. Not so: huge (10001), none (0), part (1.5). Leave it out for 100.',
  ],
  [
    'windows of a stream before now, for too long or for part of a second',
    {
      streams: {
        long: stream({ batching_window: 301 }),
        negative: stream({ batching_window: -1 }),
        part: stream({ batching_window: 1.5 }),
      },
    },
    'batching_window of a stream must be a whole number from 0 to 300. Not so: long (301), negative (-1), part (1.5). It is in seconds; leave it out for 0.',
  ],
  [
    'shards that are handled not at all, too often or in part',
    {
      streams: {
        many: stream({ parallelization_factor: 11 }),
        none: stream({ parallelization_factor: 0 }),
        part: stream({ parallelization_factor: 1.5 }),
      },
    },
    'parallelization_factor of a stream must be a whole number from 1 to 10. Not so: many (11), none (0), part (1.5). Leave it out for 1.',
  ],
  [
    'retries of a batch without end, too many or in part',
    {
      streams: {
        endless: stream({ maximum_retry_attempts: -1 }),
        many: stream({ maximum_retry_attempts: 10_001 }),
        part: stream({ maximum_retry_attempts: 0.5 }),
      },
    },
    'maximum_retry_attempts of a stream must be a whole number from 0 to 10000. Not so: endless (-1), many (10001), part (0.5). Leave it out for 10.',
  ],
  [
    'records that are given up too early, too late or within a second',
    {
      ...forever,
      streams: {
        early: stream({ maximum_record_age: 59 }),
        late: stream({ maximum_record_age: 604_801 }),
        part: stream({ maximum_record_age: 60.5 }),
      },
    },
    'maximum_record_age of a stream must be a whole number from 60 to 604800. Not so: early (59), late (604801), part (60.5). It is in seconds; leave it out for 86400.',
  ],
  [
    'records that are lost when they are given up',
    { streams: { ledger: stream({ on_failure: null }) } },
    'A stream needs on_failure, or records that are given up are lost. Not so: ledger. Set on_failure = { arn = aws_sqs_queue.<name>.arn }.',
  ],
  [
    'destinations that a stream cannot have',
    {
      streams: {
        bus: stream({ on_failure: { arn: 'arn:aws:events:eu-west-1:123456789012:event-bus/failed' } }),
        fifo: stream({ on_failure: { arn: 'arn:aws:sns:eu-west-1:123456789012:failed.fifo' } }),
        function: stream({ on_failure: { arn: 'arn:aws:lambda:eu-west-1:123456789012:function:failed' } }),
      },
    },
    'on_failure of a stream must be the ARN of a queue, topic or bucket, and not FIFO, which Lambda cannot send to. Not so: bus ("arn:aws:events:eu-west-1:123456789012:event-bus/failed"), fifo ("arn:aws:sns:eu-west-1:123456789012:failed.fifo"), function ("arn:aws:lambda:eu-west-1:123456789012:function:failed"). Use for instance on_failure = { arn = aws_sqs_queue.<name>.arn }.',
  ],
  [
    'aliases in place of the keys of a stream or its destination',
    {
      streams: {
        destination: stream({ on_failure: { ...failed, kms_key_arn: 'alias/failed' }, kms_key_arn: key }),
        stream: stream({ kms_key_arn: 'alias/own' }),
      },
    },
    'kms_key_arn of a stream must be the ARN of a key, arn:<partition>:kms:<region>:<account>:key/<id>; policies cannot name an alias. Not so: destination ("alias/failed"), stream ("alias/own"). Use aws_kms_key.<name>.arn.',
  ],
  [
    'filters of a stream that are no objects, or too many',
    {
      streams: {
        list: stream({ filter_patterns: ['[1]'] }),
        number: stream({ filter_patterns: ['1'] }),
        six: stream({ filter_patterns: ['{}', '{}', '{}', '{}', '{}', '{}'] }),
        text: stream({ filter_patterns: ['{}', 'order'] }),
      },
    },
    'filter_patterns of a stream must be at most 5 JSON objects. Not so: list (["[1]"]), number (["1"]), six (["{}","{}","{}","{}","{}","{}"]), text (["{}","order"]). Use jsonencode({ data = { … } }); Lambda takes more than 5 only on request, and drops what matches none.',
  ],
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
  [
    'metrics in a namespace of AWS',
    { metrics: { namespace: 'AWS/Shop' } },
    'namespace of metrics is "AWS/Shop", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency.',
  ],
  [
    'metrics in a namespace with a space',
    { metrics: { namespace: 'my shop' } },
    'namespace of metrics is "my shop", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency.',
  ],
  [
    'metrics in no namespace',
    { metrics: { namespace: '' } },
    'namespace of metrics is "", but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Leave it out for Idempotency.',
  ],
  [
    'alarms for what is no topic',
    { alarms: { topic_arns: ['on-call', failed.arn, 'arn:aws:sns:eu-west-1:123456789012:on-call'] } },
    'topic_arns of alarms must be ARNs of SNS topics. Not so: "on-call", "arn:aws:sqs:eu-west-1:123456789012:failed". Use aws_sns_topic.<name>.arn.',
  ],
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
      },
    },
  ],
  ['later runtimes', { compatible_runtimes: ['nodejs22.x', 'nodejs24.x', 'nodejs100.x'] }],
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
