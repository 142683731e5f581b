import { readRecord } from '../../layer/record';

it('reads its own items whole', () => {
  const item = {
    pk: 'k',
    status: 'COMPLETED',
    expiresAt: 5,
    owner: 'o',
    attempt: 2,
    result: '1',
    fingerprint: 'f',
  };
  const { pk: _, ...record } = item;
  expect(readRecord(item)).toEqual(record);
  expect(readRecord({ pk: 'k', status: 'IN_PROGRESS', expiresAt: 5, owner: 'o' })).toEqual({
    status: 'IN_PROGRESS',
    expiresAt: 5,
    owner: 'o',
    attempt: 1,
  });
});

it('takes an end that is no number for one that has passed, and an unknown status for a run in progress', () => {
  expect(readRecord({ pk: 'k', status: 'LOCKED', expiresAt: 'soon' })).toMatchObject({
    status: 'IN_PROGRESS',
    expiresAt: 0,
  });
});
