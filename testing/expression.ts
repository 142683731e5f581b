import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../layer/table';

/** What a write may say besides its key: the placeholders of its expressions. */
export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/**
 * DynamoDB's expressions on one item, as far as idempotent work needs them: comparisons, `attribute_exists`,
 * `attribute_not_exists`, AND, OR, NOT and parentheses; SET with `if_not_exists`, `+` and `-`, REMOVE, and ADD to a number.
 * All else is refused, so that no test passes by a condition that was not understood.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export class Expressions {
  private readonly used = new Set<string>();

  constructor(
    private readonly placeholders: Placeholders,
    private readonly item: Item | undefined,
  ) {}

  holds(condition: string): boolean {
    const tokens = new Tokens(condition);
    const value = this.or(tokens);
    tokens.end();
    return value;
  }

  /** The item as the update leaves it. */
  updated(update: string, key: Item): Item {
    const tokens = new Tokens(update);
    const next: Item = { ...this.item, ...key };
    while (!tokens.done) {
      const clause = tokens.take().toUpperCase();
      do this.change(clause, tokens, next);
      while (tokens.takeIf(','));
    }
    return next;
  }

  /** DynamoDB refuses placeholders that no expression of the write uses. */
  refuseUnused(): void {
    const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = this.placeholders;
    const given = [...Object.keys(ExpressionAttributeNames), ...Object.keys(ExpressionAttributeValues)];
    const unused = given.find((placeholder) => !this.used.has(placeholder));
    if (unused) throw invalid(`${unused} is defined but not used`);
  }

  private or(tokens: Tokens): boolean {
    let value = this.and(tokens);
    while (tokens.takeIf('OR')) value = this.and(tokens) || value;
    return value;
  }

  private and(tokens: Tokens): boolean {
    let value = this.term(tokens);
    while (tokens.takeIf('AND')) value = this.term(tokens) && value;
    return value;
  }

  private term(tokens: Tokens): boolean {
    if (tokens.takeIf('NOT')) return !this.term(tokens);
    if (tokens.takeIf('(')) {
      const value = this.or(tokens);
      tokens.expect(')');
      return value;
    }
    const first = tokens.take();
    if (tokens.takeIf('(')) return this.exists(first, tokens);
    const left = this.operand(first);
    const comparator = tokens.take();
    return compare(left, comparator, this.operand(tokens.take()), tokens);
  }

  private exists(name: string, tokens: Tokens): boolean {
    if (name !== 'attribute_exists' && name !== 'attribute_not_exists') throw tokens.notUnderstood(name);
    const exists = this.attribute(tokens.take()) !== undefined;
    tokens.expect(')');
    return exists === (name === 'attribute_exists');
  }

  private change(clause: string, tokens: Tokens, next: Item): void {
    const name = this.name(tokens.take());
    if (clause === 'SET') {
      tokens.expect('=');
      next[name] = this.sum(tokens);
    } else if (clause === 'ADD') {
      next[name] = numeric(this.item?.[name] ?? 0) + numeric(this.operand(tokens.take()));
    } else if (clause === 'REMOVE') {
      delete next[name];
    } else throw tokens.notUnderstood(clause);
  }

  private sum(tokens: Tokens): unknown {
    const left = this.source(tokens);
    if (tokens.takeIf('+')) return numeric(left) + numeric(this.source(tokens));
    if (tokens.takeIf('-')) return numeric(left) - numeric(this.source(tokens));
    return left;
  }

  private source(tokens: Tokens): unknown {
    const first = tokens.take();
    const called = tokens.takeIf('(');
    if (called && first !== 'if_not_exists') throw tokens.notUnderstood(first);
    if (!called) {
      const value = this.operand(first);
      if (value === undefined) throw invalid(`${first} is an attribute that the item does not have`);
      return value;
    }
    const present = this.attribute(tokens.take());
    tokens.expect(',');
    const absent = this.source(tokens);
    tokens.expect(')');
    return present ?? absent;
  }

  private operand(token: string): unknown {
    if (!token.startsWith(':')) return this.attribute(token);
    return this.defined(this.placeholders.ExpressionAttributeValues, token);
  }

  private attribute(token: string): unknown {
    const name = this.name(token);
    return this.item?.[name];
  }

  private name(token: string): string {
    return token.startsWith('#') ? this.defined(this.placeholders.ExpressionAttributeNames, token) : token;
  }

  private defined<T>(values: Record<string, T> = {}, placeholder: string): T {
    this.used.add(placeholder);
    const found = values[placeholder];
    if (found === undefined) throw invalid(`${placeholder} is not defined`);
    return found;
  }
}

class Tokens {
  private readonly tokens: string[];

  constructor(private readonly expression: string) {
    this.tokens = expression.match(/[#:]?\w+|<>|<=|>=|\S/g) ?? [];
  }

  get done(): boolean {
    return this.tokens.length === 0;
  }

  take(): string {
    const token = this.tokens.shift();
    if (token === undefined) throw invalid(`"${this.expression}" ends too early`);
    return token;
  }

  /** Keywords are the same in capitals and without. */
  takeIf(token: string): boolean {
    const found = this.tokens[0]?.toUpperCase() === token;
    if (found) this.tokens.shift();
    return found;
  }

  expect(token: string): void {
    if (!this.takeIf(token)) throw this.notUnderstood(this.tokens[0] ?? 'its end');
  }

  end(): void {
    if (!this.done) throw this.notUnderstood(this.take());
  }

  notUnderstood(token: string): Error {
    return new Error(
      `The in-memory table does not understand ${token} in "${this.expression}". Test this write against DynamoDB itself, or an emulator of it.`,
    );
  }
}

/** As in DynamoDB: what is missing, or of another type, is neither smaller nor greater nor equal. */
function compare(left: unknown, comparator: string, right: unknown, tokens: Tokens): boolean {
  if (comparator === '=') return left !== undefined && isDeepStrictEqual(left, right);
  if (comparator === '<>') return !isDeepStrictEqual(left, right);
  const ordered = typeof left === typeof right && left !== undefined;
  const [a, b] = [left, right] as [number, number];
  if (comparator === '<') return ordered && a < b;
  if (comparator === '<=') return ordered && a <= b;
  if (comparator === '>') return ordered && a > b;
  if (comparator === '>=') return ordered && a >= b;
  throw tokens.notUnderstood(comparator);
}

function numeric(value: unknown): number {
  if (typeof value === 'number') return value;
  throw invalid(`an operand of an addition is of type ${typeof value}, and not a number`);
}

const invalid = (what: string) => new Error(`ValidationException: ${what}.`);
