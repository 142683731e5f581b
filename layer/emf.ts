import { Console } from 'node:console';
import { ConfigurationError } from './errors';
import { METRICS, type Observation, type Observer } from './observer';
import type { RunOnce } from './run-once';

// An operator looks for the records of these, so that the line names them; the others are only counted.
const TO_LOOK_AT = ['takenOver', 'lockLost', 'released', 'resultUnavailable', 'storeError'];

// Some 100 bytes each, so that a line stays far below what a log event can take (1 MB).
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
const KEYS_A_LINE = 100;

// A call that never ends, or outlives its invocation, must not keep what others have told.
const LATEST_MILLISECONDS = 5000;

interface Line {
  counts: Record<string, number>;
  keys: Omit<Observation, 'table'>[];
}

/**
 * Counts outcomes and writes them in CloudWatch's embedded metric format, one line an invocation.
 *
 * No hook tells an invocation's end, so it is taken from the calls: none is under way, and the event loop has gone
 * round without another one beginning, as the next one of a batch does at once. (A handler that waits for something
 * else between its calls gets a line for each; the sums are the same.) That is before Lambda can freeze the process:
 * the runtime sends the response by an immediate of its own, which it sets after this one.
 *
 * Two things do not wait for it. A takeover is written at once, because the work that now begins has already been the
 * death of a process. And nothing is kept for longer than five seconds, since a time-out would lose it.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export class EmfMetrics {
  private readonly lines = new Map<string, Line>();
  private underWay = 0;
  private latest: NodeJS.Timeout | undefined;

  constructor(
    private readonly namespace: string,
    private readonly functionName: string | undefined,
    private readonly write: (line: string) => void = toStandardOutput(),
  ) {}

  /** The same `runOnce`, whose calls count as under way. */
  during(runOnce: RunOnce): RunOnce {
    return async (key, lock, work) => {
      this.underWay++;
      try {
        return await runOnce(key, lock, work);
      } finally {
        this.underWay--;
        if (this.underWay === 0 && this.lines.size > 0)
          setImmediate(() => this.underWay === 0 && this.flush());
      }
    };
  }

  readonly observe: Observer = ({ table, ...observation }: Observation) => {
    const line = this.lineOf(table);
    const metric = METRICS[observation.outcome];
    line.counts[metric] = (line.counts[metric] ?? 0) + 1;
    if (TO_LOOK_AT.includes(observation.outcome)) line.keys.push(observation);
    if (observation.outcome === 'takenOver' || line.keys.length === KEYS_A_LINE) this.flush();
    else this.latest ??= setTimeout(() => this.flush(), LATEST_MILLISECONDS).unref();
  };

  private lineOf(table: string): Line {
    const line = this.lines.get(table) ?? { counts: {}, keys: [] };
    this.lines.set(table, line);
    return line;
  }

  /** Writes what is counted by now. */
  flush(): void {
    clearTimeout(this.latest);
    this.latest = undefined;
    for (const [table, line] of this.lines) this.write(this.format(table, line));
    this.lines.clear();
  }

  private format(table: string, { counts, keys }: Line): string {
    const { functionName } = this;
    const Metrics = Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' }));
    const Dimensions = functionName === undefined ? [['Table']] : [['Table'], ['Table', 'FunctionName']];
    const Timestamp = Date.now();
    // What alarms wait for must get past a log level of WARN, which takes effect with a time of this format only.
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
    const toLookAt = { timestamp: new Date(Timestamp).toISOString(), level: 'WARN', Keys: keys };
    return JSON.stringify({
      _aws: {
        Timestamp,
        CloudWatchMetrics: [{ Namespace: this.namespace, Dimensions, Metrics }],
      },
      Table: table,
      FunctionName: functionName,
      ...counts,
      ...(keys.length > 0 && toLookAt),
    });
  }
}

// Lambda's own console puts a time and a request id before each line, or wraps it in JSON, and CloudWatch takes metrics
// only from an event that is the JSON itself. A console of one's own writes it as it is, and puts up with a closed pipe.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Lambda.html
function toStandardOutput(): (line: string) => void {
  const raw = new Console(process.stdout);
  return (line) => raw.log(line);
}

let ofThisProcess: EmfMetrics | undefined;

/**
 * The metrics that the environment asks for, one for all of a process: `IDEMPOTENCY_METRICS=emf` turns them on, and
 * `IDEMPOTENCY_METRICS_NAMESPACE` says where they go; default: `Idempotency`.
 *
 * @throws ConfigurationError for another format, and for what CloudWatch takes for no namespace.
 */
export function metricsOfTheEnvironment(): EmfMetrics | undefined {
  const { IDEMPOTENCY_METRICS, IDEMPOTENCY_METRICS_NAMESPACE, AWS_LAMBDA_FUNCTION_NAME } = process.env;
  if (!IDEMPOTENCY_METRICS) return undefined;
  if (IDEMPOTENCY_METRICS !== 'emf') {
    throw new ConfigurationError(
      `IDEMPOTENCY_METRICS is ${JSON.stringify(IDEMPOTENCY_METRICS)}, but the one format is emf. Set it to emf, or unset it for no metrics.`,
    );
  }
  const namespace = IDEMPOTENCY_METRICS_NAMESPACE || 'Idempotency';
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html
  if (!/^(?!AWS\/)[\w./#-]{1,255}$/.test(namespace)) {
    throw new ConfigurationError(
      `IDEMPOTENCY_METRICS_NAMESPACE is ${JSON.stringify(namespace)}, but it must be 1 to 255 letters, digits, and . - _ / #, and not begin with AWS/. Unset it for Idempotency.`,
    );
  }
  ofThisProcess ??= new EmfMetrics(namespace, AWS_LAMBDA_FUNCTION_NAME);
  return ofThisProcess;
}
