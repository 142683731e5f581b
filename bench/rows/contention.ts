import { interleaved, type Line, measure, NODE_VERSIONS, type Row, spread } from '../measure';
import { startStub } from '../stub';

const CALLERS = 200;
const WORK_MILLISECONDS = 1000;
// The longest pause of a waiter once it has waited for as long as the work takes: half of what it has waited, and half
// of that more by chance.
const POLL_MILLISECONDS = 720;

/** Callers of one key that wait for its result. */
export const contention: Row = async (repetitions) => {
  const stub = await startStub();
  const lines: Line[] = [];
  for (const node of NODE_VERSIONS) {
    const working = (milliseconds: number) => async () =>
      JSON.parse(await measure(node, 'contention.mjs', [CALLERS, milliseconds], stub.endpoint)) as {
        p99: number;
        calls: number;
      };
    const { short, long } = await interleaved(Math.ceil(repetitions / 3), {
      short: working(WORK_MILLISECONDS),
      long: working(4 * WORK_MILLISECONDS),
    });
    const answered = spread(short.map(({ p99 }) => p99));
    const limit = WORK_MILLISECONDS + 2 * POLL_MILLISECONDS;
    const growth = spread(long.map(({ calls }, n) => calls / (short[n] as { calls: number }).calls));
    lines.push(
      {
        figure: `answer to the 99th of 100, ${CALLERS} callers, work of 1 s`,
        node,
        unit: 'ms',
        ours: answered,
        target: `≤ ${limit} ms`,
        result: `${answered.median.toFixed(0)} ms`,
        met: answered.median <= limit,
      },
      {
        figure: 'calls for four times the wait',
        node,
        unit: '×',
        ours: growth,
        target: '≤ 1.6 × (4 × were linear)',
        result: `${growth.median.toFixed(2)} ×`,
        met: growth.median <= 1.6,
      },
    );
  }
  stub.stop();
  return lines;
};
