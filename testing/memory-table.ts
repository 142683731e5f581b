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

/**
 * DynamoDB's conditional writes on Maps: it evaluates the very expressions that the store sends, so that a test on it
 * fails when an expression changes its meaning. No operation is interrupted by another, as in DynamoDB.
 */
export class MemoryTable implements Table {
  readonly tables = new Map<string, Map<string, Item>>();
  private readonly tokens = new Map<string, string>();

  /** The items of a table by their `pk`. */
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
    return copy(this.items(TableName).get(Key.pk));
  }

  async transact(items: TransactItem[], token: string): Promise<Transacted> {
    const sent = JSON.stringify(items, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const known = this.tokens.get(token);
    if (known !== undefined && known !== sent) throw new Error('IdempotentParameterMismatchException');
    if (known !== undefined) return { written: true };
    const reasons = items.map((item) => (this.holds(item) ? 'None' : 'ConditionalCheckFailed'));
    if (reasons.some((reason) => reason !== 'None')) {
      return { written: false, reasons, cause: new Error('TransactionCanceledException') };
    }
    for (const item of items) this.write(item);
    this.tokens.set(token, sent);
    return { written: true };
  }

  private holds(item: TransactItem): boolean {
    const { write, context } = this.opened(item);
    return write.ConditionExpression === undefined || context.holds(write.ConditionExpression);
  }

  /** One write on its own. */
  write(item: TransactItem): Written {
    const { operation, write, context, items, pk, old } = this.opened(item);
    if (write.ConditionExpression !== undefined && !context.holds(write.ConditionExpression)) {
      return { written: false, found: copy(old) };
    }
    if (operation === 'Put') items.set(pk, { ...write.Item });
    if (operation === 'Update') items.set(pk, context.updated(write.UpdateExpression as string, { pk }));
    if (operation === 'Delete') items.delete(pk);
    return { written: true, old: copy(old) };
  }

  private opened(item: TransactItem) {
    const [[operation, write]] = Object.entries(item) as [[string, AnyWrite]];
    const items = this.items(write.TableName);
    const pk = String((write.Key ?? write.Item)?.pk);
    const old = items.get(pk);
    const context = new Context(
      write.ExpressionAttributeNames ?? {},
      write.ExpressionAttributeValues ?? {},
      old,
    );
    return { operation, write, context, items, pk, old };
  }
}

type AnyWrite = TransactWrite & { Key?: Item; Item?: Item; UpdateExpression?: string };

const copy = (item: Item | undefined) => item && { ...item };

class Context {
  private readonly used = new Set<string>();

  constructor(
    private readonly names: Record<string, string>,
    private readonly values: Record<string, unknown>,
    private readonly item: Item | undefined,
  ) {}

  /** A condition: comparisons and `attribute_not_exists`, joined by AND and OR, with parentheses. */
  holds(expression: string): boolean {
    const tokens = expression.match(/attribute_(?:not_)?exists|[#:]?\w+|(?:<=|[()=<])/g) ?? [];
    const take = () => tokens.shift() as string;
    const or = (): boolean => {
      let value = and();
      while (tokens[0] === 'OR') {
        take();
        value = and() || value;
      }
      return value;
    };
    const and = (): boolean => {
      let value = term();
      while (tokens[0] === 'AND') {
        take();
        value = term() && value;
      }
      return value;
    };
    const term = (): boolean => {
      const first = take();
      if (first === '(') {
        const value = or();
        take();
        return value;
      }
      if (first.startsWith('attribute_')) {
        take();
        const exists = this.attribute(take()) !== undefined;
        take();
        return exists === (first === 'attribute_exists');
      }
      const operator = take();
      const left = this.attribute(first);
      const right = this.value(take());
      if (operator === '=') return left === right;
      // As in DynamoDB, a missing attribute and one of another type are neither smaller nor equal.
      if (typeof left !== typeof right) return false;
      return operator === '<=' ? (left as number) <= (right as number) : (left as number) < (right as number);
    };
    return or();
  }

  /** An update: `SET a = :v, b = if_not_exists(b, :v) + :w REMOVE c, d`. */
  updated(expression: string, key: Item): Item {
    const [set, remove] = expression.replace(/^SET /, '').split(' REMOVE ') as [string, string?];
    const next: Item = { ...this.item, ...key };
    for (const assignment of set.split(/, (?=#?\w+ = )/)) {
      const [target, source] = assignment.split(' = ') as [string, string];
      next[this.name(target)] = this.evaluated(source);
    }
    for (const name of remove?.split(', ') ?? []) delete next[this.name(name)];
    const unused = [...Object.keys(this.names), ...Object.keys(this.values)].find((p) => !this.used.has(p));
    if (unused) throw new Error(`ValidationException: ${unused} is defined but not used`);
    return next;
  }

  private evaluated(source: string): unknown {
    const [, name, fallback, increment] = /^if_not_exists\((.+), (.+)\) \+ (.+)$/.exec(source) ?? [];
    if (!name) return this.value(source);
    const absent = this.value(fallback as string);
    const base = this.attribute(name) ?? absent;
    return (base as number) + (this.value(increment as string) as number);
  }

  private attribute(placeholder: string): unknown {
    const name = this.name(placeholder);
    return this.item?.[name];
  }

  private name(placeholder: string): string {
    if (!placeholder.startsWith('#')) return placeholder;
    return this.defined(this.names, placeholder);
  }

  private value(placeholder: string): unknown {
    return this.defined(this.values, placeholder);
  }

  private defined<T>(placeholders: Record<string, T>, placeholder: string): T {
    this.used.add(placeholder);
    const found = placeholders[placeholder];
    if (found === undefined) throw new Error(`ValidationException: ${placeholder} is not defined`);
    return found;
  }
}
