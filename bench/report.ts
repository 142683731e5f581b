import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { chart } from './chart';
import type { Line, Spread } from './measure';

const docs = join(import.meta.dirname, '../docs');
const BEGIN = '<!-- Written by npm run bench -->';
const END = '<!-- To here -->';

// What the README shows of them.
const SUMMARY = [
  'cold start, ES module',
  'CPU of a first run',
  'CPU of a duplicate',
  'calls of a duplicate',
  'calls of a warm duplicate, cache on',
  'write units, first run, 10 KB',
  'write units, duplicate, 10 KB',
];

function summary(lines: Line[]): string {
  const rows = SUMMARY.flatMap((name) => lines.filter(({ figure }) => figure === name)).map(
    ({ figure, node, unit, ours, powertools }) => [
      node === undefined ? figure : `${figure}, Node.js ${node}`,
      `${rounded(ours.median)} ${unit}`,
      powertools === undefined ? '–' : `${rounded(powertools.median)} ${unit}`,
    ],
  );
  return table(['', 'this layer', 'Powertools'], rows);
}

/** A table as Markdown. */
export function asText(lines: Line[]): string {
  const rows = lines.map(({ figure, node, unit, ours, powertools, bare, target, result, met }) => [
    figure,
    node ?? '',
    unit,
    value(ours),
    value(powertools),
    value(bare),
    target,
    `${met ? '✓' : '✗'} ${result}`,
  ]);
  const header = ['figure', 'Node.js', 'unit', 'this layer', 'Powertools', 'bare SDK', 'target', 'result'];
  return table(header, rows);
}

function table(header: string[], rows: (string | number)[][]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).trim()).join(' | ')} |`)
    .join('\n');
}

/** The median, and between which figures the middle half lies. */
function value(spread?: Spread): string {
  if (spread === undefined) return '–';
  const { median, low, high } = spread;
  return low === high ? rounded(median) : `${rounded(median)} (${rounded(low)}–${rounded(high)})`;
}

const rounded = (figure: number) =>
  figure >= 100 || Number.isInteger(figure) ? figure.toFixed(0) : figure.toFixed(figure >= 10 ? 1 : 2);

/** What is measured so far, by row: a row is measured as a whole, its peers in turn with the layer. */
type Rows = Record<string, Line[]>;

const data = join(docs, 'performance.json');

/**
 * Puts table and chart between the marks of docs/performance.md, and a part of it into the README; the text around them
 * is by hand. Rows that were not measured this time stay as they are, so that the hour that all of them take can be had in
 * parts.
 */
export function writeReport(measured: Rows, order: string[], repetitions: number): void {
  const known: Rows = existsSync(data) ? JSON.parse(readFileSync(data, 'utf8')) : {};
  const all = { ...known, ...measured };
  const rows = Object.fromEntries(
    order.filter((name) => name in all).map((name) => [name, all[name] as Line[]]),
  );
  writeFileSync(data, `${JSON.stringify(rows, null, 2)}\n`);
  const lines = Object.values(rows).flat();
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  const peers = Object.entries(dependencies).map(([name, version]) => `\`${name}\` ${version}`);
  const how = `Median and middle half of ${repetitions} repetitions, on ${cpus().length} × ${cpus()[0]?.model.trim()}. Peers: ${peers.join(', ')}.`;
  const written = `${how}\n\n![Ours beside the peers](performance.svg)\n\n${asText(lines)}`;
  putBetweenMarks(join(docs, 'performance.md'), written);
  putBetweenMarks(join(docs, '../README.md'), summary(lines));
  writeFileSync(join(docs, 'performance.svg'), chart(lines));
}

function putBetweenMarks(path: string, written: string): void {
  const text = readFileSync(path, 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < 0) throw new Error(`${path} lacks the marks ${BEGIN} and ${END}.`);
  writeFileSync(path, `${text.slice(0, before + BEGIN.length)}\n${written}\n${text.slice(after)}`);
}
