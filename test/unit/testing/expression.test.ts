import { describe, expect, it } from '@jest/globals';
import { Expressions } from '../../../testing/expression';

const item = { n: 5, text: 'b', on: true, list: [1, 2] };
const values = { ':five': 5, ':six': 6, ':b': 'b', ':list': [1, 2] };
const expressions = () => new Expressions({ ExpressionAttributeValues: values }, item);

describe('what it does not understand is an error, not a verdict', () => {
  it.each([
    'begins_with(text, :b)',
    'size(list) = :five',
    'n BETWEEN :five AND :six',
    'n IN (:five)',
    'limits.day = :five',
    'list[0] = :five',
    'n = :five n = :six',
    'n == :five',
  ])('%s', (condition) => {
    expect(() => expressions().holds(condition)).toThrow(`does not understand`);
  });

  it.each(['SET list[0] = :five', 'SET list = list_append(list, :list)', 'DELETE tags :b', 'SET n'])(
    '%s',
    (update) => {
      expect(() => expressions().updated(update, {})).toThrow(`does not understand`);
    },
  );
});

it.each(['n =', '(n = :five', 'n = :none', 'NOT'])('%s is no condition', (condition) => {
  expect(() => expressions().holds(condition)).toThrow(/Validation|understand/);
});

it('refuses placeholders that nothing uses', () => {
  const one = new Expressions({ ExpressionAttributeValues: { ':five': 5, ':b': 'b' } }, item);
  expect(one.holds('n = :five')).toBe(true);
  expect(() => one.refuseUnused()).toThrow(':b is defined but not used');
});

it('adds numbers only', () => {
  // Not among what is compared with the emulator, which takes the text.
  expect(() => expressions().updated('SET n = text + :five', {})).toThrow('of type string, and not a number');
});
