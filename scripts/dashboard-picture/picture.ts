import { chart } from './chart';
import { type Dashboard, plannedDashboard, type Widget } from './dashboard';
import { element, escaped } from './svg';

const COLUMNS = 24;
/** Pixels of a unit of the grid, so that GitHub need not shrink the picture. */
const UNIT = 40;
const HEADER = 48;
const GAP = 8;

/** The dashboard of the module, planned and drawn: the same text each time, until dashboard.tf changes. */
export async function dashboardPicture(): Promise<string> {
  return picture(await plannedDashboard());
}

function picture({ name, widgets }: Dashboard): string {
  const placed = place(widgets);
  const width = COLUMNS * UNIT + GAP;
  const height = HEADER + Math.max(...placed.map(({ y, widget }) => y + widget.height)) * UNIT + GAP;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'font-family': "'Helvetica Neue', Helvetica, Arial, sans-serif",
      'font-size': 11,
      fill: '#16191f',
    },
    `\n${element('title', {}, escaped(`The CloudWatch dashboard ${name}, with sample data`))}`,
    `\n${element('rect', { width, height, fill: '#f2f3f3' })}`,
    `\n${element('text', { x: 16, y: 31, 'font-size': 18, 'font-weight': 'bold' }, escaped(name))}`,
    `\n${element('text', { x: width - 16, y: 30, 'text-anchor': 'end', fill: '#545b64' }, 'sample data, times in UTC')}`,
    ...placed.map(({ x, y, widget }) => `\n${draw(x, y, widget)}`),
    '\n',
  )}\n`;
}

function draw(x: number, y: number, { width, height, properties }: Widget): string {
  return element(
    'g',
    { transform: `translate(${x * UNIT + GAP} ${y * UNIT + HEADER})` },
    chart(properties, width * UNIT - GAP, height * UNIT - GAP),
  );
}

interface Placed {
  x: number;
  y: number;
  widget: Widget;
}

/**
 * Widgets without a place come beside each other for as long as there is room, as CloudWatch places them.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
function place(widgets: Widget[]): Placed[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return widgets.map((widget) => {
    if (x + widget.width > COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const placed = { x, y, widget };
    x += widget.width;
    rowHeight = Math.max(rowHeight, widget.height);
    return placed;
  });
}
