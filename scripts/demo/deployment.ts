import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from '../emulator';
import { outputs, terraform } from '../terraform';
import type { Channel } from './orders';

export interface Deployment {
  queues: Record<Channel, { url: string; dlq_url: string }>;
  outbox_url: string;
  table_name: string;
  log_group_names: Record<Channel, string>;
}

const root = join(import.meta.dirname, '../..');

// A root module of the demo's own, so that it shares no state with an example that somebody applied by hand. It stays,
// and with it the provider that `terraform init` has put there.
const folder = join(root, '.cache/demo');

// As short as they can be: a message that fails comes back after six times its function's timeout.
const FUNCTION_TIMEOUTS = { retail: 4, wholesale: 1 };

const configuration = {
  module: {
    example: {
      source: '../../examples/sqs-orders',
      function_timeouts: FUNCTION_TIMEOUTS,
      rehearse_accidents: true,
    },
  },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of Terraform's JSON syntax.
  output: { example: { value: '${module.example}' } },
};

export async function apply(emulator: Emulator): Promise<Deployment> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.tf.json'), JSON.stringify(configuration, null, 2));
  const options = { env: environment(emulator) };
  await terraform(folder, ['init'], options);
  await terraform(folder, ['apply', '-auto-approve'], options);
  return (await outputs<{ example: Deployment }>(folder, options)).example;
}

export async function destroy(emulator: Emulator): Promise<void> {
  if (!existsSync(stateFile(emulator))) return;
  await terraform(folder, ['destroy', '-auto-approve'], { env: environment(emulator) });
}

/** What Terraform remembers of an emulator is worth nothing once that has stopped. */
export function forget(emulator: Emulator): void {
  for (const suffix of ['', '.backup']) rmSync(stateFile(emulator) + suffix, { force: true });
}

/** One state an emulator, so that two demos can run at once. */
function stateFile(emulator: Emulator): string {
  return join(folder, `${new URL(emulator.endpoint).port}.tfstate`);
}

function environment(emulator: Emulator): Record<string, string> {
  const state = `-state=${stateFile(emulator)}`;
  return {
    ...emulator.env,
    TF_CLI_ARGS_apply: state,
    TF_CLI_ARGS_destroy: state,
    TF_CLI_ARGS_output: state,
  };
}
