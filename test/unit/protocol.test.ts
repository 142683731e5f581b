import type { Table } from '../../layer/table';
import { MemoryTable } from '../../testing/memory-table';
import { describeProtocol, plain, type TableUnderTest } from '../protocol-suite';

const TABLE = 'memory';

describeProtocol('the in-memory table', async () => {
  const memory = new MemoryTable();
  return underTest(memory, memory);
});

// The refusal without the item, as from a client that does not pass it on: then the record is read.
describeProtocol('the in-memory table without returned items', async () => {
  const memory = new MemoryTable();
  return underTest(memory, {
    ...plain(memory),
    update: async (input) => withoutItem(await memory.update(input)),
    delete: async (input) => withoutItem(await memory.delete(input)),
  });
});

function underTest(memory: MemoryTable, table: Table): TableUnderTest {
  const items = memory.items(TABLE);
  return {
    table,
    tableName: TABLE,
    read: async (key) => items.get(key),
    put: async (item) => void items.set(item.pk, item),
    remove: async (key) => void items.delete(key),
    effects: { tableName: 'effects', read: async (key) => memory.items('effects').get(key) },
  };
}

function withoutItem<T extends { written: boolean }>(answer: T): T {
  return answer.written ? answer : { ...answer, found: undefined };
}
