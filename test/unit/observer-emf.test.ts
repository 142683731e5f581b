import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createRunOnce } from '../../layer/create-run-once';
import { EmfMetrics, metricsOfTheEnvironment } from '../../layer/emf';
import { ConfigurationError } from '../../layer/errors';
import { METRICS, type Outcome } from '../../layer/observer';
import type { RunOnce } from '../../layer/run-once';

const outcomes = Object.keys(METRICS) as Outcome[];

/** Calls that tell the outcome which is their key, then take that many milliseconds. */
function counting(functionName?: string) {
  const lines: Record<string, unknown>[] = [];
  const metrics = new EmfMetrics('Shop', functionName, (line) => lines.push(JSON.parse(line)));
  const tell = (outcome: string, table = 'orders') =>
    metrics.observe({
      outcome: outcome as Outcome,
      table,
      keyHash: '0123456789abcdef',
      attempt: 2,
      milliseconds: 7,
    });
  const told: RunOnce = async (key, milliseconds) => {
    tell(key);
    await new Promise((resolve) => setTimeout(resolve, milliseconds as number));
    return undefined as never;
  };
  return { lines, metrics, tell, call: metrics.during(told) };
}

const nothing = () => {};
// An immediate of jest's clock that is set within a tick comes due a millisecond later.
const tick = () => jest.advanceTimersByTimeAsync(1);

beforeEach(() => {
  jest.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the line', () => {
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
  it('is of the embedded metric format, and names the keys to look at by their hashes', async () => {
    const { lines, call } = counting('charge');
    const calls = Promise.all([
      call('executed', 0, nothing),
      call('executed', 1, nothing),
      call('lockLost', 2, nothing),
    ]);
    await jest.advanceTimersByTimeAsync(2);
    await calls;
    await tick();
    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: 1_800_000_000_003,
          CloudWatchMetrics: [
            {
              Namespace: 'Shop',
              Dimensions: [['Table'], ['Table', 'FunctionName']],
              Metrics: [
                { Name: 'Executed', Unit: 'Count' },
                { Name: 'LockLost', Unit: 'Count' },
              ],
            },
          ],
        },
        Table: 'orders',
        FunctionName: 'charge',
        Executed: 2,
        LockLost: 1,
        timestamp: '2027-01-15T08:00:00.003Z',
        level: 'WARN',
        Keys: [{ outcome: 'lockLost', keyHash: '0123456789abcdef', attempt: 2, milliseconds: 7 }],
      },
    ]);
  });

  it('has the dimension of a function only where there is one, and neither keys nor a level where none needs a look', async () => {
    const { lines, call } = counting();
    void call('replayed', 0, nothing);
    await jest.advanceTimersByTimeAsync(2);
    expect(lines).toMatchObject([
      { _aws: { CloudWatchMetrics: [{ Dimensions: [['Table']] }] }, Replayed: 1 },
    ]);
    expect(lines[0]).not.toHaveProperty('FunctionName');
    for (const name of ['Keys', 'level', 'timestamp']) expect(lines[0]).not.toHaveProperty(name);
  });

  it.each(outcomes)('counts %s under its name', (outcome) => {
    const { lines, tell, metrics } = counting();
    tell(outcome);
    metrics.flush();
    expect(lines).toMatchObject([{ [METRICS[outcome]]: 1 }]);
  });

  it('is one for each table', () => {
    const { lines, tell, metrics } = counting();
    for (const table of ['orders', 'mails', 'orders']) tell('executed', table);
    metrics.flush();
    expect(lines).toMatchObject([
      { Table: 'orders', Executed: 2 },
      { Table: 'mails', Executed: 1 },
    ]);
  });
});

describe('it is written', () => {
  it('once for calls that come one after the other, as in a batch', async () => {
    const { lines, call } = counting();
    const batch = async () => {
      for (let i = 0; i < 10; i++) await call('executed', 20, nothing);
    };
    const done = batch();
    await jest.advanceTimersByTimeAsync(200);
    await done;
    await tick();
    expect(lines).toMatchObject([{ Executed: 10 }]);
  });

  it('once for calls that overlap, and for those that work makes itself', async () => {
    const { lines, call } = counting();
    void call('executed', 20, nothing);
    void call('replayed', 40, nothing);
    await jest.advanceTimersByTimeAsync(41);
    expect(lines).toMatchObject([{ Executed: 1, Replayed: 1 }]);
  });

  it('when the event loop has gone round, before anything that waits for the network', async () => {
    jest.useRealTimers();
    const { lines, call } = counting();
    await call('executed', 0, nothing);
    expect(lines).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toMatchObject([{ Executed: 1 }]);
  });

  it('also for a call that fails', async () => {
    const { lines, metrics, tell } = counting();
    const failing = metrics.during(async () => {
      tell('released');
      throw new Error('no funds');
    });
    await expect(failing('k', 1, nothing)).rejects.toThrow('no funds');
    await tick();
    expect(lines).toMatchObject([{ Released: 1 }]);
  });

  it('at once for a takeover, whose work may be the death of a further process', () => {
    const { lines, tell } = counting();
    tell('executed');
    tell('takenOver');
    expect(lines).toMatchObject([{ Executed: 1, TakenOver: 1 }]);
  });

  it('within five seconds while a call does not end', async () => {
    const { lines, call } = counting();
    void call('waited', 60_000, nothing);
    await jest.advanceTimersByTimeAsync(1_000);
    void call('executed', 0, nothing);
    await jest.advanceTimersByTimeAsync(3_999);
    expect(lines).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(lines).toMatchObject([{ Waited: 1, Executed: 1 }]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(1);
  });

  it('before it names more keys than a log event can take', () => {
    const { lines, tell, metrics } = counting();
    for (let i = 0; i < 250; i++) tell('storeError');
    metrics.flush();
    expect(lines.map(({ StoreError }) => StoreError)).toEqual([100, 100, 50]);
  });

  it('not at all for a call that tells nothing', async () => {
    const { lines, metrics } = counting();
    await metrics.during(async () => 1 as never)('k', 1, nothing);
    await tick();
    expect(lines).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the environment', () => {
  const VARIABLES = ['IDEMPOTENCY_METRICS', 'IDEMPOTENCY_METRICS_NAMESPACE', 'AWS_LAMBDA_FUNCTION_NAME'];
  beforeEach(() => {
    for (const name of VARIABLES) delete process.env[name];
  });
  afterEach(() => {
    for (const name of VARIABLES) delete process.env[name];
  });

  const client = () => ({
    updateItem: async () => ({}),
    deleteItem: async () => ({}),
    getItem: async () => ({}),
    transactWriteItems: async () => ({}),
  });

  it('turns metrics on, which go to standard output as they are, in one line for all of a process', async () => {
    jest.useRealTimers();
    const write = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const written = () => write.mock.calls.map(([text]) => String(text));
    const observer = jest.fn();
    const quiet = createRunOnce({ tableName: 'orders', client: client(), observer });
    await quiet('charge#1042', 30, () => 'sent');
    await new Promise((resolve) => setImmediate(resolve));
    expect(written()).toEqual([]);
    expect(observer).toHaveBeenCalledTimes(1);

    process.env.IDEMPOTENCY_METRICS = 'emf';
    const charge = createRunOnce({ tableName: 'orders', client: client(), keyPrefix: 'charge#', observer });
    const mail = createRunOnce({ tableName: 'orders', client: client(), keyPrefix: 'mail#' });
    await Promise.all([charge('1042', 30, () => '4242'), mail('1042', 30, () => '4242')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written()).toEqual([
      expect.stringMatching(/^\{"_aws":.*"Namespace":"Idempotency".*"Executed":2\}\n$/),
    ]);
    expect(written().join()).not.toMatch(/1042|4242/);
    expect(observer).toHaveBeenCalledTimes(2);
  });

  it.each([
    [
      'EMF',
      undefined,
      /IDEMPOTENCY_METRICS is "EMF", but the one format is emf\. Set it to emf, or unset it/,
    ],
    ['emf', 'AWS/Shop', /IDEMPOTENCY_METRICS_NAMESPACE is "AWS\/Shop", but it must be/],
    ['emf', 'my shop', /1 to 255 letters/],
    ['emf', 'x'.repeat(256), /1 to 255 letters/],
  ])('is refused with metrics %p and namespace %p', (metrics, namespace, message) => {
    process.env.IDEMPOTENCY_METRICS = metrics;
    if (namespace !== undefined) process.env.IDEMPOTENCY_METRICS_NAMESPACE = namespace;
    expect(() => createRunOnce({ tableName: 't' })).toThrow(ConfigurationError);
    expect(() => createRunOnce({ tableName: 't' })).toThrow(message);
  });

  it('has metrics off where nothing, or nothing in particular, is said', () => {
    expect(metricsOfTheEnvironment()).toBeUndefined();
    process.env.IDEMPOTENCY_METRICS = '';
    expect(metricsOfTheEnvironment()).toBeUndefined();
  });

  it('takes the namespaces that the module takes', () => {
    process.env.IDEMPOTENCY_METRICS = 'emf';
    process.env.IDEMPOTENCY_METRICS_NAMESPACE = 'Shop/Idempotency-1.0_#';
    expect(metricsOfTheEnvironment()).toBeInstanceOf(EmfMetrics);
    const rule =
      /can\(regex\("([^"]+)", var\.metrics\.namespace\)\) && !startswith\(var\.metrics\.namespace, "AWS\/"\)/;
    expect(rule.exec(terraform('variables.tf'))?.[1]).toBe('^[a-zA-Z0-9._/#-]{1,255}$');
  });
});

const terraform = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

describe('the module', () => {
  it('turns the metrics on by what the layer reads', () => {
    expect(terraform('main.tf')).toMatch(
      /IDEMPOTENCY_METRICS\s+= "emf"\n\s+IDEMPOTENCY_METRICS_NAMESPACE = var\.metrics\.namespace/,
    );
    expect(terraform('variables.tf')).toMatch(
      /variable "metrics" \{[\s\S]*?namespace = optional\(string, "Idempotency"\)/,
    );
  });

  it('has alarms for what the layer counts, with the dimensions that it writes', () => {
    const alarms = terraform('alarms.tf');
    const [, meanings = ''] =
      /metric_alarms = \{\n\s+for metric, meaning in \{\n([^}]*)\}/.exec(alarms) ?? [];
    const names = [...meanings.matchAll(/^\s*(\w+)\s+=/gm)].map(([, name]) => name);
    expect(names).toEqual(['LockLost', 'ResultUnavailable', 'TakenOver']);
    for (const name of names) expect(Object.values(METRICS)).toContain(name);
    const [, layer = ''] =
      /resource "aws_cloudwatch_metric_alarm" "layer" \{\n([\s\S]*?)\n\}/.exec(alarms) ?? [];
    expect(layer).toMatch(/dimensions\s+= \{ Table = local\.table_name \}/);
    expect(layer).toMatch(/metric_name\s+= each\.key\n\s+namespace\s+= var\.metrics\.namespace/);
  });

  it('shows on its dashboard everything that the layer counts, and nothing else', () => {
    const shown = [
      ...terraform('dashboard.tf').matchAll(
        /for metric in \[([^\]]+)\] : \[var\.metrics\.namespace, metric, "Table", local\.table_name\]/g,
      ),
    ];
    const names = shown.flatMap(([, list = '']) => [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name));
    expect(names.sort()).toEqual(Object.values(METRICS).sort());
  });
});
