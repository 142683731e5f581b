import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { jest } from '@jest/globals';
import { createRunOnce } from '../../layer/create-run-once';
import { ConfigurationError } from '../../layer/errors';
import { METRICS, type Observation, type Outcome } from '../../layer/observer';
import { powertoolsObserver } from '../../layer/powertools-observer';

const outcomes = Object.keys(METRICS) as Outcome[];
const observation = (outcome: Outcome): Observation => ({
  outcome,
  table: 'orders',
  keyHash: '0123456789abcdef',
  attempt: 2,
  milliseconds: 7,
});

let written: string[];
beforeEach(() => {
  written = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => jest.restoreAllMocks());

const lines = () => written.splice(0).map((line) => JSON.parse(line));

describe('with Powertools itself', () => {
  it('counts each outcome by Metrics, which publishes them with its own dimensions', () => {
    const metrics = new Metrics({ namespace: 'Shop', serviceName: 'charge' });
    const observer = powertoolsObserver({ metrics });
    for (const outcome of [...outcomes, 'executed' as const]) observer(observation(outcome));
    expect(written).toEqual([]);
    metrics.publishStoredMetrics();
    const [line] = lines();
    expect(line).toMatchObject({ service: 'charge', Executed: [1, 1], TakenOver: 1 });
    const [{ Namespace, Metrics: published }] = line._aws.CloudWatchMetrics;
    expect(Namespace).toBe('Shop');
    expect(published).toEqual(Object.values(METRICS).map((Name) => ({ Name, Unit: 'Count' })));
  });

  it.each<[string, Outcome[]]>([
    ['DEBUG', ['executed']],
    ['INFO', ['replayed', 'inProgress', 'waited', 'released']],
    ['WARN', ['takenOver', 'lockLost', 'resultUnavailable', 'storeError']],
  ])('logs at %s %p, with the hash of the key', (level, expected) => {
    const observer = powertoolsObserver({ logger: new Logger({ serviceName: 'charge', logLevel: 'DEBUG' }) });
    for (const outcome of outcomes) observer(observation(outcome));
    const logged = lines().filter((line) => line.level === level);
    expect(logged.map(({ message }) => message)).toEqual(
      expected.map((outcome) => `Idempotency: ${METRICS[outcome]}`),
    );
    expect(logged.map(({ idempotency }) => idempotency)).toEqual(expected.map(observation));
  });

  it('is told of what has become of calls, with no key and no payload in clear', async () => {
    const client = {
      updateItem: async () => ({}),
      deleteItem: async () => ({}),
      getItem: async () => ({}),
      transactWriteItems: async () => ({}),
    };
    const metrics = new Metrics({ namespace: 'Shop', serviceName: 'charge' });
    const logger = new Logger({ logLevel: 'DEBUG' });
    const chargeOnce = createRunOnce({
      tableName: 'orders',
      client,
      observer: powertoolsObserver({ metrics, logger }),
    });
    await chargeOnce('charge#1042', 30, () => 'card 4242');
    metrics.publishStoredMetrics();
    expect(written.join('')).not.toMatch(/1042|4242/);
    expect(lines()).toMatchObject([
      { message: 'Idempotency: Executed', idempotency: { table: 'orders', attempt: 1 } },
      { Executed: 1 },
    ]);
  });
});

it.each([
  [undefined, /given neither metrics nor logger/],
  [{}, /given neither/],
  [{ metric: 1 }, /no option metric/],
  [{ metrics: {} }, /metrics that has no method addMetric\. Pass an instance of Powertools/],
  [{ metrics: null }, /no method addMetric/],
  [{ logger: { debug() {}, info() {} } }, /logger that has no method warn/],
  [{ logger: null }, /no method debug/],
])('refuses %p', (parts, message) => {
  expect(() => powertoolsObserver(parts as never)).toThrow(ConfigurationError);
  expect(() => powertoolsObserver(parts as never)).toThrow(message);
});

it.each([{}, 'emf', null])('createRunOnce refuses %p for an observer', (observer) => {
  expect(() => createRunOnce({ tableName: 't', observer: observer as never })).toThrow(
    /observer must be a function, but it is of type (object|string)\. Pass/,
  );
});
