import fc from 'fast-check';
import { InvalidKeyError } from '../../layer/errors';
import { hashOf } from '../../layer/hash-of';
import { httpApiEvent } from '../events/http-api';
import { sqsRecord } from '../events/sqs';

const circle: Record<string, unknown> = { name: 'circle' };
circle.itself = circle;

it('is the SHA-256 of the canonical form, base64url', () => {
  // printf '{"amount":5,"currency":"EUR"}' | openssl dgst -sha256 -binary | basenc --base64url
  expect(hashOf({ currency: 'EUR', amount: 5 })).toBe('GvDrd3qxs6ihKXZyT7SN2rkJfhUIAyzzRNKMdKwPw9A');
});

it.each([
  ['the order of members', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
  ['how a number is written', { a: 100 }, { a: 1e2 }],
  ['the sign of zero, which JSON does not have', { a: 0 }, { a: -0 }],
  ['a missing prototype', { a: 1 }, Object.assign(Object.create(null), { a: 1 })],
])('does not depend on %s', (_, one, other) => {
  expect(hashOf(one)).toBe(hashOf(other));
});

it.each([
  ['the types of values', { a: 1 }, { a: '1' }],
  ['the case of names', { A: 1, a: 2 }, { A: 2, a: 1 }],
  ['the order of lists', [1, 2], [2, 1]],
  ['what is null, and what is missing', { a: 1, b: null }, { a: 1 }],
  ['where a string ends', ['ab', 'c'], ['a', 'bc']],
])('depends on %s', (_, one, other) => {
  expect(hashOf(one)).not.toBe(hashOf(other));
});

it('takes a list, a text and a body of 6 MB as well', () => {
  for (const fields of [['a'], 'text', 7, false, { text: 'x'.repeat(6 * 1024 * 1024) }]) {
    expect(hashOf(fields)).toMatch(/^[\w-]{43}$/);
  }
});

it.each<[string, unknown, string]>([
  ['a whole record of SQS', sqsRecord('{}'), 'its receiptHandle differs with each delivery'],
  ['a whole request', httpApiEvent({}), 'its requestContext differs with each delivery'],
  ['undefined', undefined, 'fields is undefined'],
  ['null', null, 'fields is empty'],
  ['an empty text', '', 'fields is empty'],
  ['an empty object', {}, 'fields is empty'],
  ['an empty list', [], 'fields is empty'],
  ['a field that is undefined', { order: { id: undefined } }, 'fields.order.id is undefined'],
  ['a hole in a list', { items: new Array(2) }, 'fields.items[0] is undefined'],
  ['NaN', { a: Number.NaN }, 'fields.a is NaN'],
  ['Infinity', { a: [Number.POSITIVE_INFINITY] }, 'fields.a[0] is Infinity'],
  ['a BigInt', { a: 1n }, 'fields.a is a bigint'],
  ['a function', { a: () => 1 }, 'fields.a is a function'],
  ['a symbol', { a: Symbol('a') }, 'fields.a is a symbol'],
  ['a Date', { at: new Date(0) }, 'fields.at is an instance of a class'],
  ['a Map', new Map(), 'fields is an instance of a class'],
  ['a Buffer', { a: Buffer.from('a') }, 'fields.a is an instance of a class'],
  ['a boxed number', { a: Object(1) }, 'fields.a is an instance of a class'],
  ['a member under a symbol', { a: { [Symbol('b')]: 1 } }, 'fields.a is an instance of a class'],
  ['a lone surrogate', { a: 'cut \ud83d' }, 'fields.a holds a lone surrogate'],
  ['a name with a lone surrogate', { '\ud83d': 1 }, 'the name fields.\ud83d holds a lone surrogate'],
  ['what contains itself', circle, 'is nested too deeply, or contains itself'],
])('refuses %s', (_, fields, why) => {
  expect(() => hashOf(fields)).toThrow(InvalidKeyError);
  expect(() => hashOf(fields)).toThrow(why);
});

it('is the same for a value and for what JSON makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
      fc.pre(
        value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0),
      );
      expect(hashOf(JSON.parse(JSON.stringify(value)))).toBe(hashOf(value));
    }),
  );
});
