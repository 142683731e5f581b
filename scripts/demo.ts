/**
 * `npm run demo`: applies examples/sqs-orders to an emulated AWS, sends it orders that arrive more than once, and counts
 * what happened. Exits with 1 if a side effect happened other than once, or if a kind of duplicate did not occur.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Listr } from 'listr2';
import { parseArguments } from './demo/arguments';
import { type Counts, count, faults } from './demo/counts';
import { deliver } from './demo/delivery';
import { apply, type Deployment, destroy, forget } from './demo/deployment';
import { readJournals } from './demo/journals';
import { allOrders, type Plan, planOrders } from './demo/orders';
import { Outbox } from './demo/outbox';
import { howToLook, table } from './demo/report';
import { untilSettled } from './demo/settling';
import { type Emulator, startEmulator } from './emulator';
import { terraform } from './terraform';

/** What the steps hand on. */
interface Demo {
  emulator: Emulator;
  deployment: Deployment;
  sqs: SQSClient;
  outbox: Outbox;
  counts: Counts;
  faults: string[];
}

type Step<T> = [title: string, run: (demo: T, show: (progress: string) => void) => Promise<unknown>];

/** The exit code of what Ctrl-C has ended. */
const STOPPED = 130;

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The first one ends the step that runs, and then all that was started. The second ends us at once, and the
    // emulator, with all that was applied to it, ends with us.
    if (signal.aborted) process.exit(STOPPED);
    stopping.abort();
  });
}

function demonstration(plan: Plan): Step<Demo>[] {
  const orders = allOrders(plan);
  let dead = 0;
  return [
    ['Look for Terraform or OpenTofu', () => terraform('.', ['version'])],
    [
      'Start the emulated AWS',
      async (demo) => {
        demo.emulator = await startEmulator();
        demo.sqs = new SQSClient(clientOf(demo.emulator));
      },
    ],
    [
      'Apply examples/sqs-orders: about two minutes, since the AWS provider waits 25 seconds for each queue',
      async (demo) => {
        demo.deployment = await apply(demo.emulator);
        demo.outbox = new Outbox(demo.sqs, demo.deployment.outbox_url);
      },
    ],
    [
      `Send ${orders.length} orders, most of them more than once`,
      ({ sqs, deployment }) => deliver(sqs, deployment, plan, signal),
    ],
    [
      'Wait until each message is done or dead',
      async ({ sqs, deployment, outbox }, show) => {
        dead = await untilSettled(sqs, deployment, outbox, show, signal);
      },
    ],
    [
      'Count what happened',
      async (demo) => {
        const logs = new CloudWatchLogsClient(clientOf(demo.emulator));
        const entries = await readJournals(logs, Object.values(demo.deployment.log_group_names));
        demo.counts = count(orders, entries, demo.outbox.effects, dead);
        demo.faults = faults(demo.counts, orders, demo.outbox.effects);
      },
    ],
  ];
}

const ending: Step<Demo>[] = [
  ['Destroy what was applied: about half a minute', ({ emulator }) => destroy(emulator)],
  [
    'Stop the emulated AWS',
    async ({ emulator }) => {
      await emulator.stop();
      forget(emulator);
    },
  ],
];

/** @returns the exit code. */
async function main(): Promise<number> {
  const { json, keep, orders } = parseArguments(process.argv.slice(2));
  const demo: Partial<Demo> = {};
  try {
    await run(demonstration(planOrders(orders)), demo as Demo, { abortable: true });
    const { counts, emulator, deployment } = demo as Demo;
    if (!json) console.log(table(counts));
    if (keep) {
      console.log(howToLook(emulator, deployment));
      // A pending promise alone would not keep the process; a timer does, for the 24 days that are the longest it takes.
      await sleep(2 ** 31 - 1, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return STOPPED;
  } finally {
    if (demo.emulator) await run(ending, demo as Demo, { abortable: false });
  }
  const { counts, faults } = demo as Demo;
  for (const fault of faults) console.error(fault);
  if (json) console.log(JSON.stringify(counts));
  return faults.length === 0 ? 0 : 1;
}

/** Runs the steps in order and shows how far they are. Not abortable are those that clean up: one's failure ends no other. */
async function run<T extends object>(steps: Step<T>[], demo: T, { abortable }: { abortable: boolean }) {
  const tasks = steps.map(([title, step]) => ({
    title,
    task: async (context: T, task: { output: string }) => {
      if (abortable) signal.throwIfAborted();
      await step(context, (progress) => {
        task.output = progress;
      });
    },
  }));
  const list = new Listr<T>(tasks, {
    exitOnError: abortable,
    registerSignalListeners: false,
    rendererOptions: { showErrorMessage: false },
  });
  await list.run(demo);
  const [failure] = list.errors;
  if (failure) throw failure;
}

function clientOf({ endpoint, region, env }: Emulator) {
  const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY };
  return { endpoint, region, credentials };
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
