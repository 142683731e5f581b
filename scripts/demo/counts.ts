import type { Entry, Outcome } from '../../examples/sqs-orders/src/journal';
import type { PlannedOrder } from './orders';

/** What happened, counted from the functions' logs, the outbox and the dead-letter queues. */
export interface Counts {
  orders: number;
  /** Messages handed to a function, each time that one was. */
  deliveries: number;
  /** Times that the work was started. */
  runs: number;
  replays: number;
  inProgress: number;
  /** Runs that took over from one that had died. */
  takeovers: number;
  effects: number;
  dlq: number;
}

export function count(
  orders: PlannedOrder[],
  entries: Entry[],
  effects: Map<string, number>,
  dlq: number,
): Counts {
  const outcomes = (wanted: Outcome) =>
    entries.filter((entry) => 'outcome' in entry && entry.outcome === wanted).length;
  const runs = entries.filter((entry) => 'started' in entry);
  return {
    orders: orders.length,
    deliveries: sum(entries.map((entry) => ('received' in entry ? entry.received : 0))),
    runs: runs.length,
    replays: outcomes('replayed'),
    inProgress: outcomes('inProgress'),
    takeovers: runs.filter(({ attempt }) => attempt > 1).length,
    effects: sum([...effects.values()]),
    dlq,
  };
}

/** What is wrong with the outcome, one sentence each; nothing where all is as promised. */
export function faults(counts: Counts, orders: PlannedOrder[], effects: Map<string, number>): string[] {
  const wrong = orders.flatMap(({ id, email }) => {
    const wanted = email === undefined ? 0 : 1;
    const got = effects.get(id) ?? 0;
    return got === wanted
      ? []
      : [`The side effect of order ${id} happened ${got} times instead of ${wanted}.`];
  });
  const poison = orders.filter(({ email }) => email === undefined).length;
  const seen: [boolean, string][] = [
    [counts.deliveries > counts.orders, 'No order was delivered twice.'],
    [counts.replays > 0, 'No delivery was answered from a stored result.'],
    [counts.inProgress > 0, 'No delivery met a run in progress.'],
    [counts.takeovers > 0, 'No run was taken over.'],
    [counts.dlq === poison, `${counts.dlq} messages are in the dead-letter queues instead of ${poison}.`],
  ];
  return [...wrong, ...seen.flatMap(([holds, fault]) => (holds ? [] : [fault]))];
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
