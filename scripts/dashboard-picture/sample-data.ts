/**
 * An hour of a shop, made up. At 14:20 there is a sale, and deliveries rise. From 14:24 to 14:36 the payment provider is
 * slow: some charges fail and are released, some batches time out and are delivered again three minutes later, the
 * visibility timeout, and most of what is in them is replayed. One call died with its lock, and is taken over. Nothing
 * ends in a dead-letter queue.
 */
export const START_HOUR = 14;
export const MINUTES = 60;

/** One for each minute, from 0 to `MINUTES`; `undefined` where the metric was not sent. */
export type Points = (number | undefined)[];

const VISIBILITY_TIMEOUT = 3;
const TAKEOVER = 31;

/** The points of a metric, for a table or queue. */
export function samples(metric: string, of: string): Points {
  const points = SERIES[`${metric} ${of}`];
  if (points !== undefined) return points;
  throw new Error(`There is no sample data of ${metric} for ${of}. Add it to sample-data.ts.`);
}

const random = randomNumbers(8);
const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));

const minutes = Array.from({ length: MINUTES + 1 }, (_, minute) => minute);
const series = (value: (minute: number) => number): number[] => minutes.map(value);
const at = (points: number[], minute: number) => points[minute] ?? 0;
/** From 0 to 1 and back. */
const ramp = (from: number, to: number, minute: number) =>
  Math.max(0, Math.min(1, (minute - from) / 4, (to - minute) / 4));

const sale = (minute: number) => ramp(20, 70, minute);
const slowness = (minute: number) => ramp(24, 37, minute);

const newOrders = series((minute) => 38 + Math.round(34 * sale(minute)) + between(-4, 4));
const newRefunds = series(() => between(6, 11));
const failed = series((minute) => Math.round(slowness(minute) * between(2, 6)));
// Those that failed, those whose batch timed out, and those few that come twice at any time.
const timedOut = series((minute) => Math.round(slowness(minute) * between(24, 34)));
const again = series(
  (minute) =>
    at(failed, minute - VISIBILITY_TIMEOUT) + at(timedOut, minute - VISIBILITY_TIMEOUT) + between(1, 3),
);
const inProgress = series((minute) => Math.round(slowness(minute - 1) * between(8, 12)));
const waited = series((minute) => Math.round(slowness(minute - 1) * between(2, 4)));
const takenOver = series((minute) => (minute === TAKEOVER ? 1 : 0));
const replayed = series((minute) =>
  Math.max(0, at(again, minute) - at(failed, minute - VISIBILITY_TIMEOUT) - at(takenOver, minute)),
);
const orders = series((minute) => at(newOrders, minute) + at(again, minute) + at(inProgress, minute));
const executed = series(
  (minute) =>
    at(orders, minute) +
    at(newRefunds, minute) -
    at(failed, minute) -
    at(replayed, minute) -
    at(inProgress, minute),
);
// A run writes its lock and its outcome; a duplicate's lock is refused, which is charged for as well.
const writes = series(
  (minute) => 2 * (at(executed, minute) + at(failed, minute)) + at(replayed, minute) + at(inProgress, minute),
);

const nothing: Points = [];
/** The layer counts what there is, and sends no zeros. */
const counted = (points: number[]): Points => points.map((point) => (point === 0 ? undefined : point));

const SERIES: Record<string, Points> = {
  'Executed shop': counted(executed),
  'Replayed shop': counted(replayed),
  'InProgress shop': counted(inProgress),
  'Waited shop': counted(waited),

  'TakenOver shop': counted(takenOver),
  'LockLost shop': nothing,
  'ResultUnavailable shop': nothing,
  'StoreError shop': nothing,
  'Released shop': counted(failed),

  'NumberOfMessagesReceived shop-orders': orders,
  'NumberOfMessagesReceived shop-refunds.fifo': newRefunds,

  'ApproximateNumberOfMessagesVisible shop-orders-dlq': series(() => 0),
  'ApproximateNumberOfMessagesVisible shop-refunds-dlq.fifo': series(() => 0),

  'ApproximateAgeOfOldestMessage shop-orders': series(
    (minute) => between(1, 4) + Math.round(ramp(24, 41, minute) * between(178, 196)),
  ),
  'ApproximateAgeOfOldestMessage shop-refunds.fifo': series(() => between(1, 9)),

  'ConsumedWriteCapacityUnits shop': writes,
  'ConsumedReadCapacityUnits shop': series((minute) => 2 * at(waited, minute)),
  'WriteThrottleEvents shop': nothing,
  'ReadThrottleEvents shop': nothing,
};

/**
 * Numbers from 0 up to 1, the same for the same seed: a linear congruential generator with the constants of
 * Numerical Recipes.
 */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
