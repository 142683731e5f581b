import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offlineProvider, remove, workspace } from '../../test/module/workspace';
import { terraform } from '../terraform';

/** What dashboard.tf makes, as far as it is drawn. */
export interface Dashboard {
  name: string;
  widgets: Widget[];
}

/** Width and height are in units of the grid. */
export interface Widget {
  type: 'metric';
  width: number;
  height: number;
  properties: {
    title: string;
    metrics: Metric[];
    /** Seconds. */
    period: number;
    region: string;
    stat: string;
    view: 'timeSeries';
  };
}

export type Metric = [namespace: string, name: string, dimension: string, value: string];

// A dashboard names its table's region, which is known when planning for a table that is there already only.
const rootModule = {
  ...offlineProvider,
  module: {
    idempotency: {
      source: '../../..',
      name: 'shop',
      create_layer: false,
      create_table: false,
      table_arn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/shop',
      table_name: 'shop',
      queues: { orders: { function_timeout: 30 }, refunds: { fifo: true, function_timeout: 60 } },
      alarms: {},
      metrics: { namespace: 'Shop' },
      dashboard: true,
    },
  },
};

/** The dashboard that the module plans with all that can be on it. Nothing is made, and nobody is asked. */
export async function plannedDashboard(): Promise<Dashboard> {
  const folder = workspace('dashboard');
  try {
    writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(rootModule));
    await terraform(folder, ['init']);
    await terraform(folder, ['plan', '-out=tfplan']);
    const { resource_changes } = JSON.parse(await terraform(folder, ['show', '-json', 'tfplan'])) as Plan;
    const planned = resource_changes.find(({ type }) => type === 'aws_cloudwatch_dashboard');
    const { dashboard_name: name, dashboard_body: body } = planned?.change.after ?? {};
    if (name === undefined || body === undefined) {
      throw new Error(
        'The plan has no dashboard whose body is known. Give the root module above what dashboard.tf waits for.',
      );
    }
    return { name, widgets: widgetsOf(body) };
  } finally {
    remove(folder);
  }
}

interface Plan {
  resource_changes: {
    type: string;
    change: { after: { dashboard_name?: string; dashboard_body?: string } };
  }[];
}

const FIELDS = ['type', 'width', 'height', 'properties'];
const PROPERTIES = ['title', 'metrics', 'period', 'region', 'stat', 'view'];

/** The widgets of a dashboard's body. Throws for what the picture would leave out, or show otherwise. */
export const widgetsOf = (body: string): Widget[] => JSON.parse(body).widgets.map(drawable);

function drawable(widget: Widget): Widget {
  const { type, properties } = widget;
  const unknown = [
    ...Object.keys(widget).filter((field) => !FIELDS.includes(field)),
    ...Object.keys(properties).filter((property) => !PROPERTIES.includes(property)),
    ...(type === 'metric' ? [] : [`type ${type}`]),
    ...(properties.view === 'timeSeries' ? [] : [`view ${properties.view}`]),
    ...(properties.metrics ?? [])
      .filter((metric) => metric.length !== 4 || metric.some((part) => typeof part !== 'string'))
      .map((metric) => `metric ${JSON.stringify(metric)}`),
  ];
  if (unknown.length === 0) return widget;
  throw new Error(
    `The widget ${JSON.stringify(properties.title)} has what is not drawn yet: ${unknown.join(', ')}. Draw it in scripts/dashboard-picture.`,
  );
}
