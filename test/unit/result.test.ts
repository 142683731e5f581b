import fc from 'fast-check';
import { decodeResult, encodeResult } from '../../layer/result';

const roundTrip = async (value: unknown) => decodeResult(await encodeResult(value));

it('stores plain JSON as JSON, readable in the console', async () => {
  expect(await encodeResult({ id: 7, lines: ['a'] })).toEqual({ result: '{"id":7,"lines":["a"]}' });
});

it('stores nothing for undefined', async () => {
  expect(await encodeResult(undefined)).toEqual({});
});

it('keeps every JSON value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => expect(await roundTrip(value)).toEqual(value)),
  );
});

it.each([
  [new Date('2027-01-15T10:00:00.123Z')],
  [new Map<unknown, unknown>([['a', { b: new Set([1, 'x']) }]])],
  [2n ** 70n],
  [Number.NaN],
  [-0],
  [Number.NEGATIVE_INFINITY],
  [{ a: undefined, b: [undefined] }],
  [Buffer.from('héllo')],
  [new Uint8Array([0, 255])],
  [{ deep: [{ at: new Date(0), none: null }] }],
  [JSON.parse('{"__proto__":1}')],
  [new URL('https://example.com/')],
])('R11: keeps %p', async (value) => {
  expect(await roundTrip(value)).toStrictEqual(value);
});

it('R11: keeps an error with its name, message, cause and own properties', async () => {
  const error = Object.assign(new TypeError('declined', { cause: new Error('no funds') }), {
    retryable: false,
  });
  const kept = (await roundTrip(error)) as TypeError;
  expect(kept).toMatchObject({ name: 'TypeError', message: 'declined', retryable: false });
  expect(kept).toBeInstanceOf(Error);
  expect(kept.cause).toMatchObject({ message: 'no funds' });
  expect(kept.stack).toBe('TypeError: declined');
});

it('R11: keeps the plain data of a class instance, by its toJSON if it has one', async () => {
  class Money {
    constructor(readonly cents: number) {}
    format() {
      return `${this.cents}`;
    }
  }
  class Decimal {
    toJSON() {
      return '12.50';
    }
  }
  expect(await roundTrip({ price: new Money(1250), total: new Decimal() })).toStrictEqual({
    price: { cents: 1250 },
    total: '12.50',
  });
});

it('stores no bytes of the pool that a Buffer is a window into', async () => {
  const pool = Buffer.from('secret-visible');
  const { result } = await encodeResult(pool.subarray(7));
  expect(result).toContain(Buffer.from('visible').toString('base64'));
  expect(result).not.toContain(pool.toString('base64'));
});

it('keeps a value that contains itself', async () => {
  const value: { self?: unknown } = {};
  value.self = value;
  const kept = (await roundTrip(value)) as typeof value;
  expect(kept.self).toBe(kept);
});

it('deflates large text', async () => {
  const large = { lines: Array.from({ length: 2000 }, (_, line) => `line ${line % 10}`) };
  const { result } = await encodeResult(large);
  expect(result).toBeInstanceOf(Uint8Array);
  expect((result as Uint8Array).byteLength).toBeLessThan(4096);
  expect(await roundTrip(large)).toEqual(large);
});

it('R19: keeps what fits an item once it is deflated, and says why the rest is not stored', async () => {
  const compressible = 'x'.repeat(5 * 1024 * 1024);
  expect(await roundTrip(compressible)).toBe(compressible);
  let seed = 1;
  const noise = Buffer.from(
    Array.from({ length: 401 * 1024 }, () => {
      seed = (seed * 48271) % 2147483647;
      return seed & 0xff;
    }),
  ).toString('base64');
  expect(await encodeResult(noise)).toEqual({
    resultUnavailable: expect.stringMatching(/^it takes \d+ bytes, more than the 401408 that fit a record$/),
  });
});

it.each([[() => 1], [Symbol('s')], [Promise.resolve(1)], [{ nested: () => 1 }], [new WeakMap()]])(
  'says that %p cannot be serialised',
  async (value) => {
    expect(await encodeResult(value)).toEqual({ resultUnavailable: 'it cannot be serialised' });
  },
);

it('says so of a value whose own toJSON throws', async () => {
  const value = {
    toJSON() {
      throw new Error('secret');
    },
  };
  expect(await encodeResult(value)).toEqual({ resultUnavailable: 'it cannot be serialised' });
});

it('says so of a value that is nested too deeply', async () => {
  let value: unknown = 'core';
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  expect(await encodeResult(value)).toEqual({ resultUnavailable: 'it cannot be serialised' });
});

it('keeps an array’s holes, and what tags itself and has a toJSON by that', async () => {
  const sparse = new Array(3);
  sparse[0] = 1;
  expect(await roundTrip(sparse)).toStrictEqual(sparse);
  const tagged = { [Symbol.toStringTag]: 'Decimal', toJSON: () => '1.5' };
  expect(await roundTrip({ tagged })).toEqual({ tagged: '1.5' });
});
