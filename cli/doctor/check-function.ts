import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { wholeRetentionSeconds } from '../../layer/retention';
import { advice, type Finding, failed, passed, unchecked } from './finding';

/** What the doctor is to find at a function. */
export interface Expected {
  tableName: string;
  /** ARN of the layer's version, or of the layer for any of its versions. */
  layerArn?: string | undefined;
  keyPrefix: string;
}

/** The function's runtime, layer and environment. */
export function checkFunction(subject: string, config: FunctionConfiguration, expected: Expected): Finding[] {
  return [
    runtime(subject, config),
    layer(subject, config, expected.layerArn),
    ...environment(subject, config, expected),
  ];
}

// The least that the layer is made for; the module's compatible_runtimes says the same.
const LEAST_NODE = 22;

function runtime(subject: string, { Runtime: name, PackageType }: FunctionConfiguration): Finding {
  const named = { check: 'function.runtime', subject };
  if (PackageType === 'Image') {
    return unchecked(
      named,
      'not checked: it is an image, which brings a runtime of its own',
      `See to it that the image has Node.js ${LEAST_NODE} or newer.`,
    );
  }
  const [, version] = /^nodejs(\d+)\.x$/.exec(name ?? '') ?? [];
  if (version !== undefined && Number(version) >= LEAST_NODE) return passed(named, `its runtime is ${name}`);
  return failed(named, `its runtime is ${name}, but the layer needs Node.js ${LEAST_NODE} or newer`, {
    fix: `Move the function to nodejs${LEAST_NODE}.x.`,
    terraform: `runtime = "nodejs${LEAST_NODE}.x"`,
  });
}

function layer(subject: string, { Layers = [] }: FunctionConfiguration, wanted: string | undefined): Finding {
  const named = { check: 'function.layer', subject };
  const arns = Layers.map(({ Arn }) => Arn ?? '');
  const cure = { fix: "Attach the layer's version.", terraform: 'layers = [module.idempotency.layer_arn]' };
  if (arns.length === 0) {
    return wanted === undefined
      ? advice(named, 'it has no layer: its code must bring the library by itself', cure)
      : failed(named, `it has no layer, but should have ${wanted}`, cure);
  }
  if (wanted === undefined) {
    return unchecked(
      named,
      `not checked: it has ${arns.join(', ')}`,
      "Give --layer with the module's output layer_arn.",
    );
  }
  const same = arns.find((arn) => arn === wanted || unversioned(arn) === wanted);
  if (same !== undefined) return passed(named, `it has ${same}`);
  const other = arns.find((arn) => unversioned(arn) === unversioned(wanted));
  return failed(
    named,
    other === undefined ? `it does not have ${wanted}` : `it has ${other}, but should have ${wanted}`,
    cure,
  );
}

/** `arn:<partition>:lambda:<region>:<account>:layer:<name>`, without the version. */
function unversioned(arn: string): string {
  return arn.split(':').slice(0, 7).join(':');
}

function environment(
  subject: string,
  { Environment, LoggingConfig }: FunctionConfiguration,
  { tableName, keyPrefix }: Expected,
): Finding[] {
  const named = (name: string) => ({ check: `function.${name}`, subject });
  if (Environment?.Error) {
    return [
      unchecked(
        named('table'),
        `not checked: Lambda does not show its environment (${Environment.Error.ErrorCode})`,
        'Allow kms:Decrypt on the key of its environment, and run it again.',
      ),
    ];
  }
  const variables = Environment?.Variables ?? {};
  const whole = 'environment {\n  variables = module.idempotency.environment\n}';
  return [
    ofTable(named('table'), variables.IDEMPOTENCY_TABLE, tableName, whole),
    ofRetention(named('retention'), variables.IDEMPOTENCY_KEEP_FOR_SECONDS),
    ofPrefix(named('key_prefix'), variables.IDEMPOTENCY_KEY_PREFIX ?? '', keyPrefix),
    ofMetrics(named('metrics'), variables.IDEMPOTENCY_METRICS ?? '', LoggingConfig, whole),
  ];
}

type Named = Pick<Finding, 'check' | 'subject'>;

function ofTable(named: Named, table: string | undefined, tableName: string, terraform: string): Finding {
  if (table === tableName) return passed(named, `IDEMPOTENCY_TABLE is ${table}`);
  if (!table) {
    return failed(named, 'IDEMPOTENCY_TABLE is not set: without a tableName in its code, every call fails', {
      fix: "Set it by the module's output.",
      terraform,
    });
  }
  return failed(named, `IDEMPOTENCY_TABLE is ${table}, not ${tableName}`, {
    fix: 'Correct it, or check that table by --table.',
    terraform,
  });
}

function ofRetention(named: Named, value: string | undefined): Finding {
  if (value === undefined) return passed(named, 'IDEMPOTENCY_KEEP_FOR_SECONDS is not set: 24 hours');
  try {
    return passed(named, `IDEMPOTENCY_KEEP_FOR_SECONDS is ${wholeRetentionSeconds(value)}`);
  } catch (error) {
    return failed(named, (error as Error).message, {
      fix: "Set it by the module's output.",
      terraform: 'keep_for_seconds = 86400',
    });
  }
}

function ofPrefix(named: Named, prefix: string, keyPrefix: string): Finding {
  if (prefix === keyPrefix) {
    return passed(named, prefix === '' ? 'keys have no prefix' : `keys begin with ${prefix}`);
  }
  return advice(named, `its keys begin with '${prefix}', those of this command line with '${keyPrefix}'`, {
    fix: `Give --key-prefix '${prefix}' to see its records.`,
    terraform: `functions = { this = { key_prefix = "${prefix}" } }`,
  });
}

/** JSON lines without a level count as INFO. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html */
function ofMetrics(
  named: Named,
  metrics: string,
  logging: FunctionConfiguration['LoggingConfig'],
  terraform: string,
): Finding {
  if (metrics === '') {
    return advice(named, 'IDEMPOTENCY_METRICS is not set: alarms see nothing of this function', {
      fix: 'Turn the metrics on, unless an observer of its own does.',
      terraform: 'metrics = {}',
    });
  }
  if (metrics !== 'emf') {
    return failed(named, `IDEMPOTENCY_METRICS is '${metrics}', which the layer refuses`, {
      fix: 'Set it to emf.',
      terraform,
    });
  }
  const level = logging?.LogFormat === 'JSON' ? (logging.ApplicationLogLevel ?? 'INFO') : 'INFO';
  if (['TRACE', 'DEBUG', 'INFO'].includes(level)) return passed(named, 'IDEMPOTENCY_METRICS is emf');
  return advice(named, `its log level is ${level}: Lambda drops lines of metrics below it`, {
    fix: 'Set the application log level to INFO.',
    terraform: 'logging_config {\n  log_format            = "JSON"\n  application_log_level = "INFO"\n}',
  });
}
