import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { createRunOnce } from '../../layer/create-run-once';
import { ConfigurationError, ResultUnavailableError } from '../../layer/errors';
import { type Codec, decodeResult, encodeResult } from '../../layer/result';

const key = randomBytes(32);
const encrypted: Codec = {
  name: 'aes-1',
  encode(bytes) {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  },
  async decode(bytes) {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  },
};

it('stores what the codec makes of the result, and reads every kind of value back', async () => {
  const value = { card: '4242', at: new Date(0), amount: 12n };
  const stored = await encodeResult(value, encrypted);
  expect(stored).toEqual({ codec: 'aes-1', result: expect.any(Uint8Array) });
  expect(Buffer.from(stored.result as Uint8Array).toString('latin1')).not.toContain('4242');
  expect(await decodeResult(stored, encrypted)).toStrictEqual(value);
});

it('still reads what was stored before there was a codec', async () => {
  expect(await decodeResult(await encodeResult({ a: 1 }), encrypted)).toEqual({ a: 1 });
  expect(await decodeResult(await encodeResult(1n), encrypted)).toBe(1n);
});

it('names the codec that is missing', async () => {
  const stored = await encodeResult('x', encrypted);
  await expect(decodeResult(stored)).rejects.toThrow(ConfigurationError);
  await expect(decodeResult(stored, { ...encrypted, name: 'aes-2' })).rejects.toThrow(
    /codec aes-1, but this function has aes-2/,
  );
});

it('completes without the result when the codec fails, and says so to duplicates', async () => {
  const failing = { ...encrypted, encode: () => Promise.reject(new Error('key service is out')) };
  expect(await encodeResult('x', failing)).toEqual({ resultUnavailable: 'it cannot be serialised' });
});

it.each([['{"not json'], [new Uint8Array([1, 2, 3])]])(
  'says that the stored result %p cannot be read',
  async (result) => {
    await expect(decodeResult({ result })).rejects.toThrow(ResultUnavailableError);
  },
);

it('is an option', () => {
  expect(createRunOnce({ tableName: 't', codec: encrypted })).toBeInstanceOf(Function);
});

it.each([
  { ...encrypted, name: '' },
  { ...encrypted, name: 'devalue' },
  { name: 'x', encode: jest.fn() },
  { name: 'x', decode: jest.fn() },
])('refuses the codec %p', (codec) => {
  expect(() => createRunOnce({ tableName: 't', codec: codec as never })).toThrow(ConfigurationError);
});
