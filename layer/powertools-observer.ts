import { ConfigurationError } from './errors';
import { refuseUnknown } from './known-options';
import { METRICS, type Observer, type Outcome } from './observer';

/** What is used of `Metrics` of `@aws-lambda-powertools/metrics` 2, which the layer does not bring. */
export interface PowertoolsMetrics {
  /** Adds to what the next publishing sends. */
  addMetric(name: string, unit: 'Count', value: number): unknown;
}

/** What is used of `Logger` of `@aws-lambda-powertools/logger` 2, which the layer does not bring. */
export interface PowertoolsLogger {
  /** For work that ran. */
  debug(message: string, attributes: Record<string, unknown>): void;
  /** For the ordinary outcomes of a duplicate. */
  info(message: string, attributes: Record<string, unknown>): void;
  /** For what needs a look. */
  warn(message: string, attributes: Record<string, unknown>): void;
}

const LEVELS: Record<Outcome, keyof PowertoolsLogger> = {
  executed: 'debug',
  replayed: 'info',
  inProgress: 'info',
  waited: 'info',
  takenOver: 'warn',
  lockLost: 'warn',
  released: 'info',
  resultUnavailable: 'warn',
  storeError: 'warn',
};

/**
 * An observer that counts by Powertools' `Metrics`, logs by its `Logger`, or both.
 *
 * Metrics go where that instance sends them, with its dimensions, once it publishes: by `logMetrics` or
 * `publishStoredMetrics` of your own. Each log has what the outcome says of the key (its hash), under `idempotency`:
 * `debug` for work that ran, `warn` for what needs a look, `info` for the rest.
 *
 * @throws ConfigurationError where neither is given, or one has not the methods of its kind.
 * @example
 * const observer = powertoolsObserver({ metrics: new Metrics({ namespace: 'Shop' }), logger: new Logger() })
 * const chargeOnce = createRunOnce({ observer })
 */
export function powertoolsObserver(parts: {
  metrics?: PowertoolsMetrics;
  logger?: PowertoolsLogger;
}): Observer {
  refuseUnknown('powertoolsObserver', Object(parts), ['metrics', 'logger']);
  const { metrics, logger } = Object(parts) as typeof parts;
  if (metrics === undefined && logger === undefined) {
    throw new ConfigurationError(
      'powertoolsObserver was given neither metrics nor logger. Pass one of them: { logger: new Logger() }.',
    );
  }
  if (metrics !== undefined && typeof metrics?.addMetric !== 'function') throw unlike('metrics', 'addMetric');
  for (const level of ['debug', 'info', 'warn'] as const) {
    if (logger !== undefined && typeof logger?.[level] !== 'function') throw unlike('logger', level);
  }
  return (observation) => {
    const { outcome } = observation;
    metrics?.addMetric(METRICS[outcome], 'Count', 1);
    logger?.[LEVELS[outcome]](`Idempotency: ${METRICS[outcome]}`, { idempotency: observation });
  };
}

function unlike(part: string, method: string): ConfigurationError {
  return new ConfigurationError(
    `powertoolsObserver was given ${part} that has no method ${method}. Pass an instance of Powertools for AWS Lambda (TypeScript), version 2.`,
  );
}
