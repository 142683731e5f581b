import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { type Credentials, signature } from '../../../layer/client/signature';

const host = 'dynamodb.eu-west-1.amazonaws.com';
const plain = { accessKeyId: 'AKID', secretAccessKey: 'secret' };

async function bySdk(region: string, credentials: Credentials, headers: object, body: string, date: Date) {
  const signer = new SignatureV4({ credentials, region, service: 'dynamodb', sha256: Sha256 });
  const request = new HttpRequest({
    method: 'POST',
    hostname: host,
    path: '/',
    headers: { ...headers },
    body,
  });
  return (await signer.sign(request, { signingDate: date })).headers;
}

it('is the SDK’s for any body, time, credentials and region', async () => {
  const credentials = fc.record(
    {
      accessKeyId: fc.constant('AKID'),
      secretAccessKey: fc.string({ minLength: 1 }),
      sessionToken: fc.base64String({ minLength: 4 }),
    },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  );
  const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('eu-west-1', 'us-east-1'),
      credentials,
      fc.string({ unit: 'grapheme' }),
      date,
      fc.array(fc.constantFrom('a', ' ', '\t', '/')).map((parts) => `x${parts.join('')}x`),
      async (region, who, body, at, value) => {
        const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': value };
        const proof = signature(region, who, '/', headers, body, at);
        expect({ ...headers, ...proof }).toEqual(await bySdk(region, who, headers, body, at));
      },
    ),
    { numRuns: 100 },
  );
});

it('has no token where there is none', () => {
  expect(signature('eu-west-1', plain, '/', { host }, '{}', new Date())).not.toHaveProperty(
    'x-amz-security-token',
  );
});

it('leaves out what is replaced on the way: by tracers, and as the SDK does', async () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'a' };
  const others = { 'user-agent': 'a', traceparent: 'b', 'x-amzn-trace-id': 'c', 'content-length': '2' };
  const alone = signature('eu-west-1', plain, '/', headers, '{}', at);
  expect(signature('eu-west-1', plain, '/', { ...headers, ...others }, '{}', at)).toEqual(alone);
});
