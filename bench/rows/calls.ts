import { exactly, type Line, measure, type Row, type Subject } from '../measure';
import { type Counts, startStub } from '../stub';

const MEETINGS = ['first', 'duplicate', 'inFlight', 'failed'] as const;
type Meeting = (typeof MEETINGS)[number];

const CALLS: Record<Meeting, [figure: string, target: number]> = {
  first: ['calls of a first run', 2],
  duplicate: ['calls of a duplicate', 1],
  inFlight: ['calls while in flight', 1],
  failed: ['calls of failed work', 2],
};

/** Requests that reach the table: exact. */
export const calls: Row = async () => {
  const [ours, cached, powertools, bare] = [
    await counted('ours', 100),
    await counted('cached', 100),
    await counted('powertools', 100),
    await counted('bare', 100),
  ];
  const lines = MEETINGS.map((meeting): Line => {
    const [figure, target] = CALLS[meeting];
    const peers = { powertools: exactly(callsOf(powertools[meeting])) };
    // The floor does not do what the other two are about.
    const floor =
      meeting === 'first' || meeting === 'duplicate' ? { bare: exactly(callsOf(bare[meeting])) } : {};
    return { ...exact(figure, callsOf(ours[meeting]), target), ...peers, ...floor };
  });
  return [...lines, exact('calls of a warm duplicate, cache on', callsOf(cached.duplicate), 0)];
};

/** What each write is billed as, for results of that many bytes of JSON. */
export const writeUnits: Row = async () => {
  const lines: Line[] = [];
  for (const kilobytes of [0.1, 1, 10, 100]) {
    const ours = await counted('ours', kilobytes * 1024);
    const powertools = await counted('powertools', kilobytes * 1024);
    for (const meeting of ['first', 'duplicate'] as const) {
      const [units, peers] = [ours[meeting].writeUnits, powertools[meeting].writeUnits];
      lines.push({
        figure: `write units, ${meeting === 'first' ? 'first run' : 'duplicate'}, ${kilobytes} KB`,
        unit: '',
        ours: exactly(units),
        powertools: exactly(peers),
        target: '≤ Powertools',
        result: String(units),
        met: units <= peers,
      });
    }
  }
  return lines;
};

async function counted(subject: Subject, bytes: number): Promise<Record<Meeting, Counts>> {
  const stub = await startStub();
  const counts = JSON.parse(await measure(22, 'calls.mjs', [subject, bytes], stub.endpoint));
  stub.stop();
  return counts;
}

const callsOf = ({ calls }: Counts) => Object.values(calls).reduce((sum, count) => sum + count, 0);

function exact(figure: string, count: number, target: number): Line {
  return {
    figure,
    unit: '',
    ours: exactly(count),
    target: String(target),
    result: String(count),
    met: count === target,
  };
}
