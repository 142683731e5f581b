import fc from 'fast-check';
import { InvalidKeyError } from '../../layer/errors';
import { keyOf } from '../../layer/key-of';

it.each([
  [['order-confirmation', 1042], 'order-confirmation#1042'],
  [['charge', 'a#b', '50%'], 'charge#a%23b#50%25'],
  [['batch', 2n ** 70n], 'batch#1180591620717411303424'],
  [['nullable', 'annulled'], 'nullable#annulled'],
])('%p make %p', (parts, key) => {
  expect(keyOf(...parts)).toBe(key);
});

it.each([
  [[]],
  [['order', undefined]],
  [['order', null]],
  [['order', '']],
  [['order', ' ']],
  [['order', 'undefined']],
  [['order#undefined']],
  [['order', `${undefined}-7`]],
  [['order', Number.NaN]],
  [['order', 1.5]],
  [['order', String({})]],
  [['order', { id: 1 }]],
  [['order', true]],
])('R9: refuses %p', (parts) => {
  expect(() => keyOf(...(parts as string[]))).toThrow(InvalidKeyError);
});

it('never makes one key of two lists of parts', () => {
  const part = fc.oneof(
    fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('#', '%', '2', '3', '5', 'a') }),
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      if (JSON.stringify(one) !== JSON.stringify(other)) expect(keyOf(...one)).not.toBe(keyOf(...other));
    }),
  );
});
