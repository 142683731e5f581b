import { MemoryTable } from '../memory-table';
import { describeProtocol } from '../protocol-suite';

describeProtocol('the in-memory table', async () => {
  const table = new MemoryTable();
  return {
    table,
    tableName: 'memory',
    read: async (key) => table.items.get(key),
    put: async (item) => void table.items.set(item.pk, item),
    remove: async (key) => void table.items.delete(key),
  };
});

// The refusal without the item, as from a client that does not pass it on: then the record is read.
describeProtocol('the in-memory table without returned items', async () => {
  const table = new MemoryTable();
  return {
    table: {
      get: (input) => table.get(input),
      update: async (input) => withoutItem(await table.update(input)),
      delete: async (input) => withoutItem(await table.delete(input)),
    },
    tableName: 'memory',
    read: async (key) => table.items.get(key),
    put: async (item) => void table.items.set(item.pk, item),
    remove: async (key) => void table.items.delete(key),
  };
});

function withoutItem<T extends { written: boolean }>(answer: T): T {
  return answer.written ? answer : { ...answer, found: undefined };
}
