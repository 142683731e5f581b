import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsEnvironment } from '../../scripts/emulator';
import { startFunction } from '../../scripts/lambda-runtime';
import {
  interleaved,
  type Line,
  NODE_VERSIONS,
  type NodeVersion,
  type Row,
  ratio,
  ratioBeyond,
  spread,
} from '../measure';
import { startStub } from '../stub';

const TARGET = 0.4;
const root = join(import.meta.dirname, '../..');

/**
 * In Lambda's runtime: from the start of its process until the first event is in the handler, which is the init phase,
 * and until that event is answered. The emulator's own "Init Duration" is not it: it starts the process on the event.
 */
export const lambdaColdStart: Row = async (repetitions) => {
  const stub = await startStub();
  const code = mkdtempSync(join(tmpdir(), 'bench-'));
  cpSync(join(root, 'bench/functions'), code, { recursive: true });
  symlinkSync(join(root, 'bench/node_modules'), join(code, 'node_modules'));
  const lines: Line[] = [];
  for (const node of NODE_VERSIONS) {
    const of = (handler: string) => () => durations(node, code, handler, stub.endpoint);
    const { ours, powertools, empty } = await interleaved(repetitions, {
      ours: of('layer.handler'),
      powertools: of('powertools.handler'),
      empty: of('empty.handler'),
    });
    const pick = (values: Durations[], name: keyof Durations) => values.map((value) => value[name]);
    const figures = [
      ['init duration in Lambda’s runtime', 'init'],
      ['init and first invocation in Lambda’s runtime', 'total'],
    ] as const;
    for (const [figure, name] of figures) {
      const whole = ratio(pick(ours, name), pick(powertools, name));
      lines.push({
        figure,
        node,
        unit: 'ms',
        ours: spread(pick(ours, name)),
        powertools: spread(pick(powertools, name)),
        target: `≤ ${TARGET} × Powertools`,
        result: `${whole.toFixed(2)} × (${ratioBeyond(pick(empty, name), pick(ours, name), pick(powertools, name))} an empty function)`,
        met: whole <= TARGET,
      });
    }
  }
  rmSync(code, { recursive: true });
  stub.stop();
  return lines;
};

interface Durations {
  init: number;
  total: number;
}

async function durations(
  node: NodeVersion,
  code: string,
  handler: string,
  endpoint: string,
): Promise<Durations> {
  const layer = join(root, 'dist');
  const started = await startFunction({
    node,
    code,
    handler,
    layer,
    timeout: 30,
    env: { ...awsEnvironment(endpoint), IDEMPOTENCY_TABLE: 'records' },
  });
  try {
    const { initialised: init } = (await started.invoke({ id: `${handler}-${Date.now()}` })) as {
      initialised: number;
    };
    const report = /Init Duration: ([\d.]+) ms\s+Duration: ([\d.]+) ms/.exec(
      readFileSync(started.log, 'utf8'),
    );
    if (report === null) throw new Error(`No report of ${handler} in ${started.log}`);
    return { init, total: Number(report[1]) + Number(report[2]) };
  } finally {
    await started.stop();
  }
}
