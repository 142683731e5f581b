import Table from 'cli-table3';
import type { Emulator } from '../emulator';
import type { Counts } from './counts';
import type { Deployment } from './deployment';

const TITLES: Record<keyof Counts, string> = {
  orders: 'Orders',
  deliveries: 'Deliveries',
  runs: 'Runs',
  replays: 'Replays',
  inProgress: '"In progress" rejections',
  takeovers: 'Takeovers',
  effects: 'Side effects',
  dlq: 'In the dead-letter queues',
};

export function table(counts: Counts): string {
  const rows = new Table({ colAligns: ['left', 'right'] });
  for (const name of Object.keys(TITLES) as (keyof Counts)[]) rows.push([TITLES[name], counts[name]]);
  return rows.toString();
}

export function howToLook(
  { env, log }: Emulator,
  { table_name, queues, log_group_names }: Deployment,
): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
  return [
    'All is still there until you press Ctrl-C. To look at it, in another terminal:',
    '',
    ...exports,
    `aws dynamodb scan --table-name ${table_name}`,
    `aws sqs receive-message --queue-url ${queues.wholesale.dlq_url}`,
    `aws logs tail ${log_group_names.retail}`,
    '',
    `The emulator's log: ${log}`,
  ].join('\n');
}
