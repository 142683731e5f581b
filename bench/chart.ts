import type { Line } from './measure';

const SERIES = [
  ['ours', 'this layer', '#0f766e'],
  ['powertools', 'Powertools', '#9ca3af'],
  ['bare', 'bare SDK', '#d1d5db'],
] as const;

const LABELS = 350;
const BARS = 420;
const BAR = 12;

/** Horizontal bars, as SVG: the lines that were timed, each to the scale of its longest bar. */
export function chart(lines: Line[]): string {
  const timed = lines.filter(({ node, powertools }) => node !== undefined && powertools !== undefined);
  const parts: string[] = [];
  let y = 40;
  for (const { figure, node, unit, ...line } of timed) {
    const longest = Math.max(...SERIES.map(([name]) => line[name]?.median ?? 0));
    parts.push(text(LABELS - 10, y + BAR, `${figure}, Node.js ${node}`, 'end'));
    for (const [name, , colour] of SERIES) {
      const spread = line[name];
      if (spread === undefined) continue;
      const width = (spread.median / longest) * BARS;
      parts.push(
        `<rect x="${LABELS}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${colour}"/>`,
      );
      parts.push(text(LABELS + width + 6, y + BAR - 2, `${rounded(spread.median)} ${unit}`));
      y += BAR + 2;
    }
    y += BAR;
  }
  const legend = SERIES.map(([, label, colour], n) => {
    const x = LABELS + n * 130;
    return `<rect x="${x}" y="12" width="${BAR}" height="${BAR}" fill="${colour}"/>${text(x + 18, 22, label)}`;
  });
  const width = LABELS + BARS + 140;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="11"><title>This layer beside its peers; shorter is better</title><rect width="${width}" height="${y}" fill="#fff"/>${[...legend, ...parts].join('')}</svg>\n`;
}

const rounded = (value: number) => Number(value.toPrecision(3)).toLocaleString('en');

const text = (x: number, y: number, label: string, anchor = 'start') =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" fill="#111">${label}</text>`;
