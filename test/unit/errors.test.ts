import { randomUUID } from 'node:crypto';
import * as errors from '../../layer/errors';

const classes = [
  [errors.LockLostError, 'LOCK_LOST'],
  [errors.InvalidKeyError, 'INVALID_KEY'],
  [errors.ConfigurationError, 'CONFIGURATION'],
  [errors.ResultUnavailableError, 'RESULT_UNAVAILABLE'],
  [errors.KeyReusedError, 'KEY_REUSED'],
  [errors.OrphanedError, 'ORPHANED'],
] as const;

it.each(classes)('%p has a stable code and name, and keeps its cause', (ErrorClass, code) => {
  const cause = new Error('why');
  const error = new ErrorClass('what', { cause });
  expect(error).toMatchObject({ code, name: ErrorClass.name, message: 'what', cause });
  expect(error).toBeInstanceOf(errors.IdempotencyError);
  expect(error).toBeInstanceOf(Error);
});

it('says when to retry', () => {
  expect(new errors.StillInProgressError(7)).toMatchObject({
    code: 'STILL_IN_PROGRESS',
    retryAfterSeconds: 7,
  });
});

it('says whether a failure of the table may pass', () => {
  expect(new errors.StoreError('slow down', { retryable: true })).toMatchObject({
    code: 'STORE',
    retryable: true,
  });
});

it('says which of the work’s writes was refused', () => {
  const error = new errors.CommitRefusedError(2, 'ConditionalCheckFailed', 'why');
  expect(error).toMatchObject({
    code: 'COMMIT_REFUSED',
    index: 2,
    reason: 'ConditionalCheckFailed',
    cause: 'why',
  });
});

it('recognises the errors of another copy of the library', async () => {
  const copy: typeof errors = await import(`../../layer/errors?copy=${randomUUID()}`);
  expect(copy.LockLostError).not.toBe(errors.LockLostError);
  const error = new copy.LockLostError('of the copy');
  expect(error).toBeInstanceOf(errors.LockLostError);
  expect(error).toBeInstanceOf(errors.IdempotencyError);
  expect(error).not.toBeInstanceOf(errors.StoreError);
});

it.each([null, undefined, 'LOCK_LOST', { code: 'LOCK_LOST' }, new Error('LOCK_LOST')])(
  'does not take %p for one of its errors',
  (value) => {
    expect(value instanceof errors.LockLostError).toBe(false);
    expect(value instanceof errors.IdempotencyError).toBe(false);
  },
);

it('leaves a subclass of the user’s own to the prototype chain', () => {
  class PartnerBusyError extends errors.StillInProgressError {}
  expect(new PartnerBusyError(1)).toBeInstanceOf(PartnerBusyError);
  expect(new PartnerBusyError(1)).toBeInstanceOf(errors.StillInProgressError);
  expect(new errors.StillInProgressError(1)).not.toBeInstanceOf(PartnerBusyError);
});
