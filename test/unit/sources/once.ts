import { runOnceWith } from '../../../layer/run-once';
import { createStore } from '../../../layer/store';
import type { Table } from '../../../layer/table';
import { MemoryTable } from '../../../testing/memory-table';
import { VirtualClock } from '../../../testing/virtual-clock';
import { plain } from '../../protocol-suite';

/** A `runOnce` on a table and a clock of its own; `faults` stand between it and the table. */
export function once(faults: Partial<Table> = {}) {
  const memory = new MemoryTable();
  const clock = new VirtualClock();
  const store = createStore({ ...plain(memory), ...faults }, 'idempotency', clock);
  return {
    memory,
    clock,
    items: memory.items('idempotency'),
    runOnce: runOnceWith({ store, clock, keyPrefix: '', keepForSeconds: 86_400 }),
    /** Lambda's context of an invocation that begins now. */
    invocation(milliseconds = 30_000) {
      const end = clock.now() + milliseconds;
      return { getRemainingTimeInMillis: () => end - clock.now(), awsRequestId: 'request' };
    },
  };
}

/** What a test's work waits for. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
