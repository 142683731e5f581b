import fc from 'fast-check';
import { readIdempotencyKey } from '../../../layer/sources/http-key';

const ascii = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
});
const quote = (key: string) => `"${key.replace(/["\\]/g, '\\$&')}"`;

it('reads every string that a structured field can say', () => {
  fc.assert(
    fc.property(
      ascii.filter((key) => key.trim() !== ''),
      (key) => {
        expect(readIdempotencyKey([quote(key)])).toBe(key);
        expect(readIdempotencyKey([` ${quote(key)};v=1 `])).toBe(key);
      },
    ),
  );
});

it.each(['8e03978e-40d5-43dd-bc93-6894a57f9324', 'order:42/charge', 'a;b', '~!#', 'x'.repeat(255)])(
  'reads %p also without quotes, as the same key',
  (key) => {
    expect(readIdempotencyKey([key])).toBe(key);
    expect(readIdempotencyKey([quote(key)])).toBe(key);
  },
);

it('tells a key with a backslash from one without', () => {
  expect(readIdempotencyKey(['"a\\\\b"'])).toBe('a\\b');
  expect(readIdempotencyKey(['"a\\"b"'])).toBe('a"b');
});

it.each<[string, string[]]>([
  ['no value', []],
  ['two values', ['a', 'b']],
  ['two values in one line', ['a,b']],
  ['two strings in one line', ['"a","b"']],
  ['a string with a parameter, and another', ['"a";v=1,"b"']],
  ['nothing', ['']],
  ['an empty string', ['""']],
  ['a blank', ['" "']],
  ['256 characters', ['x'.repeat(256)]],
  ['a string of 256 characters', [`"${'x'.repeat(256)}"`]],
  ['an open quote', ['"a']],
  ['a quote within', ['a"b']],
  ['an unknown escape', ['"a\\b"']],
  ['a blank within, without quotes', ['a b']],
  ['a backslash, without quotes', ['a\\b']],
  ['letters beyond ASCII', ['ключ']],
  ['letters beyond ASCII, in quotes', ['"ä"']],
  ['a control character', ['"a\u0007"']],
])('refuses %s', (_, values) => {
  expect(readIdempotencyKey(values)).toBeUndefined();
});
