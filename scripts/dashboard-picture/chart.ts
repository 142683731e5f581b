import type { Metric, Widget } from './dashboard';
import { MINUTES, type Points, START_HOUR, samples } from './sample-data';
import { element, escaped, pixels } from './svg';

// Of CloudWatch, in the order in which it gives them to metrics.
const COLOURS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd'];
const GREY = '#545b64';
const GRID = '#e1e4e8';

const MARGIN = { top: 40, right: 20, left: 40 };
const LEGEND_LINE = 18;
/** Wide enough for whatever font is taken, since nothing can be measured here. */
const CHARACTER = 6.4;

interface Line {
  label: string;
  colour: string;
  points: Points;
}

/** A widget with its title, axes, lines and legend, in a box of so many pixels. */
export function chart({ title, metrics, period, stat }: Widget['properties'], width: number, height: number) {
  if (period !== 60) throw new Error(`The period is ${period}, but sample-data.ts has points by the minute.`);
  const labels = labelsOf(metrics);
  const lines = metrics.map(([, name, , value], index) => ({
    label: labels[index] as string,
    colour: COLOURS[index % COLOURS.length] as string,
    points: samples(name, value),
  }));
  const rows = legendRows(lines, width - 2 * MARGIN.right);
  const bottom = height - 14 - rows.length * LEGEND_LINE;
  const steps = stepsTo(Math.max(1, ...lines.flatMap(({ points }) => points.map((point) => point ?? 0))));
  const xOf = (minute: number) =>
    pixels(MARGIN.left + (minute / MINUTES) * (width - MARGIN.left - MARGIN.right));
  const yOf = (value: number) =>
    pixels(bottom - 20 - (value / (steps.at(-1) as number)) * (bottom - 20 - MARGIN.top));

  return [
    element('rect', { width, height, rx: 4, fill: '#fff', stroke: '#d5dbdb' }),
    element('text', { x: 14, y: 22, 'font-size': 13, 'font-weight': 'bold' }, escaped(title)),
    element(
      'text',
      { x: width - 14, y: 22, 'text-anchor': 'end', fill: GREY },
      escaped(`${stat} per minute`),
    ),
    ...steps.map((value) => horizontal(value, yOf(value), width)),
    ...times().map(([minute, text]) =>
      element('text', { x: xOf(minute), y: bottom - 1, 'text-anchor': 'middle', fill: GREY }, text),
    ),
    ...lines.map((line) => drawn(line, xOf, yOf)),
    ...rows.flatMap((row, index) => legend(row, bottom + 20 + index * LEGEND_LINE)),
  ].join('');
}

/** As CloudWatch does, from what differs between the metrics of a widget: their names, or their table or queue. */
function labelsOf(metrics: Metric[]): string[] {
  const differing = [1, 3].filter((part) => new Set(metrics.map((metric) => metric[part])).size > 1);
  return metrics.map((metric) =>
    (differing.length === 0 ? [1] : differing).map((part) => metric[part]).join(' '),
  );
}

/** Round values from 0 to the highest or the next above it, whole and some five. */
function stepsTo(highest: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(highest));
  const step = [0.2, 0.5, 1, 2, 5]
    .map((factor) => factor * magnitude)
    .find((size) => Number.isInteger(size) && highest / size <= 5) as number;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}

const times = () =>
  Array.from({ length: MINUTES / 10 + 1 }, (_, index): [minute: number, text: string] => {
    const minutes = START_HOUR * 60 + index * 10;
    return [index * 10, `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`];
  });

const horizontal = (value: number, y: number, width: number) =>
  element('path', { d: `M${MARGIN.left} ${y}H${width - MARGIN.right}`, stroke: GRID }) +
  element('text', { x: MARGIN.left - 6, y: y + 4, 'text-anchor': 'end', fill: GREY }, String(value));

/** A line with a gap where there is no point, and a dot where a point has no neighbour. */
function drawn({ colour, points }: Line, xOf: (minute: number) => number, yOf: (value: number) => number) {
  let path = '';
  let dots = '';
  points.forEach((point, minute) => {
    if (point === undefined) return;
    const [x, y] = [xOf(minute), yOf(point)];
    const [before, after] = [points[minute - 1], points[minute + 1]];
    if (before === undefined && after === undefined)
      dots += element('circle', { cx: x, cy: y, r: 3.5, fill: colour });
    else path += `${before === undefined ? 'M' : 'L'}${x} ${y}`;
  });
  return (path && element('path', { d: path, fill: 'none', stroke: colour, 'stroke-width': 1.5 })) + dots;
}

type Row = { line: Line; x: number }[];

/** Which line has its label in which row and where, as many in a row as it has room for. */
function legendRows(lines: Line[], width: number): Row[] {
  const rows: Row[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const length = 34 + line.label.length * CHARACTER;
    if (end + length > width) {
      rows.push([]);
      end = 0;
    }
    rows.at(-1)?.push({ line, x: pixels(14 + end) });
    end += length;
  }
  return rows;
}

const legend = (row: Row, y: number) =>
  row.map(
    ({ line: { label, colour }, x }) =>
      element('rect', { x, y: y - 9, width: 10, height: 10, fill: colour }) +
      element('text', { x: x + 15, y }, escaped(label)),
  );
