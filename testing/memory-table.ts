import type {
  DeleteInput,
  Item,
  ItemInput,
  Table,
  Transacted,
  TransactItem,
  TransactWrite,
  UpdateInput,
  Written,
} from '../layer/table';
import { Expressions } from './expression';

type AnyWrite = TransactWrite & { Key?: Item; Item?: Item; UpdateExpression?: string };

/**
 * DynamoDB's conditional writes on Maps: it evaluates the very expressions that the store sends, so that a test on it
 * fails when an expression changes its meaning. No operation is interrupted by another, as in DynamoDB.
 */
export class MemoryTable implements Table {
  readonly tables = new Map<string, Map<string, Item>>();
  private readonly tokens = new Map<string, string>();

  /** Takes the names of a table's key attributes, where they are not just `pk`. */
  constructor(private readonly keyNames: (tableName: string) => readonly string[] = () => ['pk']) {}

  /** The items of a table by their key. */
  items(tableName: string): Map<string, Item> {
    const items = this.tables.get(tableName) ?? new Map<string, Item>();
    this.tables.set(tableName, items);
    return items;
  }

  async update(input: UpdateInput): Promise<Written> {
    return this.write({ Update: input });
  }

  async delete(input: DeleteInput): Promise<Written> {
    return this.write({ Delete: input });
  }

  async get({ TableName, Key }: ItemInput): Promise<Item | undefined> {
    return copy(this.items(TableName).get(this.idOf(TableName, Key)));
  }

  async transact(items: TransactItem[], token: string): Promise<Transacted> {
    const sent = JSON.stringify(items, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const known = this.tokens.get(token);
    if (known !== undefined && known !== sent) throw new Error('IdempotentParameterMismatchException');
    if (known !== undefined) return { written: true };
    const writes = items.map((item) => this.opened(item));
    const reasons = writes.map((write) => (holds(write) ? 'None' : 'ConditionalCheckFailed'));
    if (reasons.some((reason) => reason !== 'None')) {
      return { written: false, reasons, cause: new Error('TransactionCanceledException') };
    }
    // All are worked out before any is written, so that one that is invalid leaves nothing of the others.
    for (const carryOut of writes.map(prepared)) carryOut();
    this.tokens.set(token, sent);
    return { written: true };
  }

  /** One write on its own. */
  write(item: TransactItem): Written {
    const write = this.opened(item);
    if (!holds(write)) return { written: false, found: copy(write.old) };
    prepared(write)();
    return { written: true, old: copy(write.old) };
  }

  private opened(item: TransactItem): Opened {
    const [[operation, write]] = Object.entries(item) as [[string, AnyWrite]];
    const items = this.items(write.TableName);
    const key = write.Key ?? write.Item ?? {};
    const id = this.idOf(write.TableName, key);
    const old = items.get(id);
    return { operation, write, items, key, id, old, expressions: new Expressions(write, old) };
  }

  /** What tells an item of a table from others: the value of its key, or of both attributes where it has two. */
  idOf(tableName: string, item: Item): string {
    const names = this.keyNames(tableName);
    const missing = names.find((name) => item[name] === undefined);
    if (missing) throw new Error(`ValidationException: an item of ${tableName} lacks the key ${missing}.`);
    return names.length === 1 ? String(item[names[0] as string]) : JSON.stringify(names.map((n) => item[n]));
  }
}

interface Opened {
  operation: string;
  write: AnyWrite;
  items: Map<string, Item>;
  key: Item;
  id: string;
  old: Item | undefined;
  expressions: Expressions;
}

function holds({ write, expressions }: Opened): boolean {
  return write.ConditionExpression === undefined || expressions.holds(write.ConditionExpression);
}

/** Works out a write that its condition allows, and gives what carries it out. */
function prepared({ operation, write, expressions, items, id, key }: Opened): () => void {
  const next = operation === 'Update' ? expressions.updated(write.UpdateExpression ?? '', key) : write.Item;
  expressions.refuseUnused();
  if (operation === 'Delete') return () => items.delete(id);
  return () => next && items.set(id, { ...next });
}

const copy = (item: Item | undefined) => item && { ...item };
