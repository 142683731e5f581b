import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { widgetsOf } from '../../scripts/dashboard-picture/dashboard';
import { dashboardPicture } from '../../scripts/dashboard-picture/picture';
import { root } from './code-blocks';

const drawn = readFileSync(join(root, 'docs/dashboard.svg'), 'utf8');

it('shows the dashboard as the module makes it', async () => {
  // Not toBe: the difference of two pictures is some hundred lines of paths.
  if (drawn !== (await dashboardPicture())) {
    throw new Error('docs/dashboard.svg is not what dashboard.tf makes now. Run: npm run dashboard-picture');
  }
}, 120_000);

it('is shown by GitHub, and quickly', () => {
  expect(Buffer.byteLength(drawn)).toBeLessThan(60_000);
  expect(drawn).not.toMatch(/<script|<style|<image|<foreignObject|href|url\(|@font-face/);
});

const widget = {
  type: 'metric',
  width: 12,
  height: 6,
  properties: {
    title: 'Runs',
    metrics: [['Shop', 'Executed', 'Table', 'shop']],
    period: 60,
    region: 'eu-west-1',
    stat: 'Sum',
    view: 'timeSeries',
  },
};
const properties = (changed: object) => ({ ...widget, properties: { ...widget.properties, ...changed } });
const body = (...widgets: object[]) => JSON.stringify({ widgets });

it('takes widgets of the kind that is drawn', () => {
  expect(widgetsOf(body(widget, widget))).toEqual([widget, widget]);
});

it.each([
  ['x', { ...widget, x: 12 }],
  ['type text', { ...widget, type: 'text', properties: { markdown: '# Shop' } }],
  ['view singleValue', properties({ view: 'singleValue' })],
  ['annotations', properties({ annotations: { horizontal: [{ value: 1 }] } })],
  ['metric [{"expression":"m1 + m2"}]', properties({ metrics: [[{ expression: 'm1 + m2' }]] })],
  [
    'metric ["Shop","Executed","Table","shop",{"id":"m1"}]',
    properties({ metrics: [['Shop', 'Executed', 'Table', 'shop', { id: 'm1' }]] }),
  ],
])('refuses what it would leave out: %s', (what, unknown) => {
  expect(() => widgetsOf(body(widget, unknown))).toThrow(what);
});
