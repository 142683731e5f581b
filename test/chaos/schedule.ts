import fc from 'fast-check';

/** Everything that happens to one key: who calls, what they do, and what goes wrong. Plain data, so that it replays. */
export interface Schedule {
  callers: Caller[];
  /** Milliseconds at which TTL deletes whatever has expired. */
  sweeps: number[];
}

export interface Caller {
  /** Milliseconds from the start. */
  arrives: number;
  /** By how many milliseconds its clock is off. */
  skew: number;
  lockSeconds: number;
  workMilliseconds: number;
  style: (typeof STYLES)[number];
  ends: (typeof ENDS)[number];
  /** Whether the work stops when its signal aborts. */
  obeys: boolean;
  /** Which request it makes of the key, for the fingerprint. */
  request: 0 | 1 | null;
  /** The process dies at that await of its, counted from 1; 0 for never. */
  crash: number;
  /** One after the other for its sends to the table, each try of the client's own retry taking one. */
  network: Send[];
}

export interface Send {
  /** Milliseconds there and back. */
  there: number;
  back: number;
  fault: (typeof FAULTS)[number];
}

/** `delayed` has its effect after the client has given it up. */
export const FAULTS = ['none', 'lost-before', 'lost-after', 'delayed', 'throttled'] as const;
export const STYLES = ['plain', 'heartbeat', 'wait', 'commit', 'fail', 'reconcile', 'extend'] as const;
export const ENDS = ['returns', 'throws', 'remembers', 'unserialisable'] as const;

const often = <T>(usual: T, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  );

const send: fc.Arbitrary<Send> = fc.record({
  there: fc.integer({ min: 1, max: 200 }),
  back: fc.integer({ min: 1, max: 200 }),
  fault: often<Send['fault']>('none', fc.constantFrom(...FAULTS)),
});

const caller: fc.Arbitrary<Caller> = fc.record({
  arrives: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 25_000 })),
  skew: often(0, fc.integer({ min: -2000, max: 2000 }), fc.constantFrom(-2000, 2000)),
  lockSeconds: fc.integer({ min: 1, max: 12 }),
  workMilliseconds: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 20_000 })),
  style: fc.constantFrom(...STYLES),
  obeys: fc.boolean(),
  ends: often<Caller['ends']>('returns', fc.constantFrom(...ENDS)),
  request: often<Caller['request']>(null, fc.constantFrom<Caller['request']>(0, 1)),
  crash: often(0, fc.integer({ min: 1, max: 16 })),
  network: fc.array(send, { maxLength: 12 }),
});

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  callers: fc.array(caller, { minLength: 1, maxLength: 5 }),
  sweeps: fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 10 }),
});
