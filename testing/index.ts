/** What `run-once/testing` exports: `runOnce` for unit tests, without DynamoDB and without waiting. */
import type { Observer, RunOnce } from 'run-once';
import { ConfigurationError } from '../layer/errors';
import { refuseUnknown } from '../layer/known-options';
import { tellerOf } from '../layer/observer';
import { runOnceWith } from '../layer/run-once';
import { createStore } from '../layer/store';
import { MemoryTable } from './memory-table';
import { VirtualClock } from './virtual-clock';

/** What `createTestRunOnce` takes. */
export interface TestRunOnceConfig<Name extends string = never> {
  /**
   * The tables that `run.commit` writes to, each with the names of its key attributes: the partition key, and the sort
   * key where there is one. Default: none.
   *
   * @example { balances: ['account'], entries: ['account', 'sequence'] }
   */
  tables?: Record<Name, readonly [partitionKey: string, sortKey?: string]>;
  /** Is told what becomes of each call, as that of `createRunOnce`. Default: none. */
  observer?: Observer;
}

/** A `runOnce` with its own empty table and clock. */
export interface TestRunOnce<Name extends string = never> {
  /** To be used in place of the layer's: by the same protocol, with the same errors. */
  runOnce: RunOnce;
  clock: TestClock;
  /** The records as they are stored, by key; also those that have expired, as DynamoDB deletes them only days later. */
  records: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The tables of the work's own, by name. */
  tables: Record<Name, TestTable>;
}

/** The time as `runOnce` sees it: it stands still until it is advanced, and begins at 2027-01-15T00:00:00Z. */
export interface TestClock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Moves the time on, by seconds; fractions are fine. Whatever comes due on the way happens in its order: waits end,
   * heartbeats extend, `run.signal` aborts. Work that waits for something else than this clock goes on as it would.
   *
   * @throws ConfigurationError for what is not a number of at least 0.
   */
  advance(seconds: number): Promise<void>;
}

/** A table of the work's own. */
export interface TestTable {
  /** Stores an item, in place of one with the same key. */
  put(item: Record<string, unknown>): void;
  /** Copies of all items, in the order in which their keys first came. */
  items(): Record<string, unknown>[];
}

const RECORDS = 'idempotency';

/**
 * A `runOnce` for unit tests: the protocol of the layer on a table in memory, with a clock that the test moves. Each has
 * a table of its own, so make one a test.
 *
 * @throws ConfigurationError for an unknown option or a wrong value.
 * @example
 * const { runOnce, clock, records } = createTestRunOnce()
 * const handler = sqsHandler({ key, runOnce }, send)
 */
export function createTestRunOnce<Name extends string = never>(
  config: TestRunOnceConfig<Name> = {},
): TestRunOnce<Name> {
  refuseUnknown('createTestRunOnce', config, ['tables', 'observer']);
  const { tables = {} as Record<Name, readonly [string, string?]>, observer } = config;
  const clock = new VirtualClock();
  const memory = new MemoryTable((name) => {
    if (name === RECORDS) return ['pk'];
    if (Object.hasOwn(tables, name)) return tables[name as Name].filter((key) => key !== undefined);
    throw new ConfigurationError(
      `run.commit writes to the table ${name}, which the test does not have. Pass createTestRunOnce({ tables: { '${name}': ['its partition key'] } }).`,
    );
  });
  return {
    runOnce: runOnceWith({
      store: createStore(memory, RECORDS, clock),
      clock,
      keyPrefix: '',
      keepForSeconds: 86_400,
      teller: tellerOf(observer ? [observer] : [], RECORDS, clock),
    }),
    clock: {
      now: () => clock.now(),
      async advance(seconds) {
        if (typeof seconds === 'number' && seconds >= 0) return clock.advance(seconds * 1000);
        throw new ConfigurationError(
          `clock.advance takes seconds, a number of at least 0, but it was given ${seconds}. Correct it.`,
        );
      },
    },
    records: memory.items(RECORDS),
    tables: Object.fromEntries(
      (Object.keys(tables) as Name[]).map((name): [Name, TestTable] => [name, tableOf(memory, name)]),
    ) as Record<Name, TestTable>,
  };
}

function tableOf(memory: MemoryTable, name: string): TestTable {
  return {
    put: (item) => void memory.write({ Put: { TableName: name, Item: structuredClone(item) } }),
    items: () => [...memory.items(name).values()].map((item) => structuredClone(item)),
  };
}
