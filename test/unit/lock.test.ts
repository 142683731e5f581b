import { ConfigurationError } from '../../layer/errors';
import { lockSecondsFor, wholeLockSeconds } from '../../layer/lock';

const context = (milliseconds: number) => ({ getRemainingTimeInMillis: () => milliseconds });

it.each([
  [30_000, 30],
  [29_001, 30],
  [1, 1],
  [0, 1],
  [-250, 1],
  [1500.5, 2],
])('R5: %d ms left give a lock of %d s', (milliseconds, seconds) => {
  expect(lockSecondsFor(context(milliseconds))).toBe(seconds);
});

it('R4: without a context, the lock is as long as a function can run', () => {
  expect(lockSecondsFor()).toBe(900);
});

it.each([
  [Number.NaN, /it is NaN/],
  [Number.POSITIVE_INFINITY, /it is Infinity/],
  ['30', /of type string/],
  [undefined, /of type undefined/],
])('refuses a lock of %p', (value, message) => {
  expect(() => wholeLockSeconds(value)).toThrow(ConfigurationError);
  expect(() => wholeLockSeconds(value)).toThrow(message);
});

it('R7: takes milliseconds given as seconds for what they are', () => {
  expect(wholeLockSeconds(604_800)).toBe(604_800);
  expect(() => wholeLockSeconds(1_800_000_000_000)).toThrow(
    /If the value is in milliseconds, divide it by 1000/,
  );
});
