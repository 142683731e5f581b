import type { Item, Table, UpdateInput, Value, Written } from '../layer/table';

/**
 * DynamoDB's conditional writes on a Map: it evaluates the very expressions that the store sends, so that a test on
 * it fails when an expression changes its meaning. No operation is interrupted by another, as in DynamoDB.
 */
export class MemoryTable implements Table {
  readonly items = new Map<string, Item>();

  async update(input: UpdateInput): Promise<Written> {
    const { pk } = input.Key;
    const old = this.items.get(pk);
    const context = new Context(input.ExpressionAttributeNames, input.ExpressionAttributeValues, old);
    if (!context.holds(input.ConditionExpression)) return { written: false, found: copy(old) };
    this.items.set(pk, context.updated(input.UpdateExpression, { pk }));
    return { written: true, old: copy(old) };
  }

  async delete(input: Omit<UpdateInput, 'UpdateExpression'>): Promise<Written> {
    const old = this.items.get(input.Key.pk);
    const context = new Context(input.ExpressionAttributeNames, input.ExpressionAttributeValues, old);
    if (!context.holds(input.ConditionExpression)) return { written: false, found: copy(old) };
    this.items.delete(input.Key.pk);
    return { written: true, old: copy(old) };
  }

  async get({ Key }: { Key: { pk: string } }): Promise<Item | undefined> {
    return copy(this.items.get(Key.pk));
  }
}

const copy = (item: Item | undefined) => item && { ...item };

class Context {
  private readonly used = new Set<string>();

  constructor(
    private readonly names: Record<string, string>,
    private readonly values: Record<string, Value>,
    private readonly item: Item | undefined,
  ) {}

  /** A condition: comparisons and `attribute_not_exists`, joined by AND and OR, with parentheses. */
  holds(expression: string): boolean {
    const tokens = expression.match(/attribute_not_exists|[#:]?\w+|[()=<]/g) ?? [];
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
      if (first === '(' || first === 'attribute_not_exists') {
        if (first !== '(') take();
        const value = first === '(' ? or() : this.attribute(take()) === undefined;
        take();
        return value;
      }
      const operator = take();
      const left = this.attribute(first);
      const right = this.value(take());
      if (operator === '=') return left === right;
      // As in DynamoDB, a missing attribute and one of another type are neither smaller nor equal.
      return typeof left === typeof right && (left as number) < (right as number);
    };
    return or();
  }

  /** An update: `SET a = :v, b = if_not_exists(b, :v) + :w REMOVE c, d`. */
  updated(expression: string, key: Item): Item {
    const [set, remove] = expression.replace(/^SET /, '').split(' REMOVE ') as [string, string?];
    const next: Item = { ...this.item, ...key };
    for (const assignment of set.split(/, (?=#)/)) {
      const [target, source] = assignment.split(' = ') as [string, string];
      next[this.name(target)] = this.evaluated(source);
    }
    for (const name of remove?.split(', ') ?? []) delete next[this.name(name)];
    const unused = [...Object.keys(this.names), ...Object.keys(this.values)].find((p) => !this.used.has(p));
    if (unused) throw new Error(`ValidationException: ${unused} is defined but not used`);
    return next;
  }

  private evaluated(source: string): Value {
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

  private value(placeholder: string): Value {
    return this.defined(this.values, placeholder);
  }

  private defined<T>(placeholders: Record<string, T>, placeholder: string): T {
    this.used.add(placeholder);
    const found = placeholders[placeholder];
    if (found === undefined) throw new Error(`ValidationException: ${placeholder} is not defined`);
    return found;
  }
}
