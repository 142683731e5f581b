import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { credentialsOf } from '../../../layer/client/credentials';

let server: Server;
let url: string;
let asked: { url: string | undefined; authorization: string | undefined }[];
let status: number;
let expires: number;

beforeEach(async () => {
  asked = [];
  status = 200;
  expires = Date.now() + 3_600_000;
  server = createServer((request, response) => {
    asked.push({ url: request.url, authorization: request.headers.authorization });
    response.writeHead(status).end(
      JSON.stringify({
        AccessKeyId: `id${asked.length}`,
        SecretAccessKey: 'secret',
        Token: 'token',
        Expiration: new Date(expires).toISOString(),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/creds`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('are those of the environment, with their token or without', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(await credentialsOf(env)()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  expect(await credentialsOf({ ...env, AWS_SESSION_TOKEN: 't' })()).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 't',
  });
});

it.each([{}, { AWS_ACCESS_KEY_ID: 'id' }])('are missed with %j, with what to do', async (env) => {
  await expect(credentialsOf(env)()).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message: expect.stringMatching(/Set AWS_ACCESS_KEY_ID/),
  });
});

it('come from the endpoint, which is asked once for all who ask at the same time', async () => {
  const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url });
  const both = await Promise.all([credentials(), credentials()]);
  expect(both).toEqual([both[0], { accessKeyId: 'id1', secretAccessKey: 'secret', sessionToken: 'token' }]);
  await credentials();
  expect(asked).toEqual([{ url: '/creds', authorization: undefined }]);
});

it('are asked for anew five minutes before they expire', async () => {
  expires = Date.now() + 299_000;
  const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url });
  expect(await credentials()).toMatchObject({ accessKeyId: 'id1' });
  expect(await credentials()).toMatchObject({ accessKeyId: 'id2' });
});

it('are asked for with the token, which a file may hold that changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'token-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'from the file\n');
  const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'plain' };
  await credentialsOf(env)();
  await credentialsOf({ ...env, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file })();
  expect(asked.map(({ authorization }) => authorization)).toEqual(['plain', 'from the file']);
  rmSync(folder, { recursive: true });
});

it('are asked for four times, and again by the next call', async () => {
  status = 500;
  const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url });
  await expect(credentials()).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message: expect.stringMatching(/HTTP 500/),
  });
  expect(asked).toHaveLength(4);
  status = 200;
  expect(await credentials()).toMatchObject({ accessKeyId: 'id5' });
});

it('are the last ones where asking anew fails, for as long as they are valid', async () => {
  expires = Date.now() + 240_000;
  const credentials = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url });
  await credentials();
  status = 500;
  expect(await credentials()).toMatchObject({ accessKeyId: 'id1' });
  status = 200;
  expect(await credentials()).toMatchObject({ accessKeyId: 'id6' });
});

it.each([
  [null],
  [{}],
  [{ AccessKeyId: 'a', SecretAccessKey: 's', Token: 't' }],
  [{ AccessKeyId: 'a', SecretAccessKey: 's', Token: 't', Expiration: 'soon' }],
])('are not made of the answer %j', async (answer) => {
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(answer));
  await expect(credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url })()).rejects.toMatchObject({
    name: 'CredentialsProviderError',
    message: expect.stringMatching(/its answer has no AccessKeyId/),
  });
  fetched.mockRestore();
});

it.each([
  ['a token that is no header', { AWS_CONTAINER_AUTHORIZATION_TOKEN: 'secret\nX: y' }, /TypeError/],
  [
    'a token file that is missing',
    { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/none' },
    /\/none, which .* \(ENOENT\)/,
  ],
  [
    'a port that nobody listens on',
    { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:2/' },
    /ECONNREFUSED/,
  ],
  ['what is no URL', { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'secret' }, /is no URL/],
])('are missed with %s, and no secret is told', async (_, env, reason) => {
  const asking = credentialsOf({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url, ...env })();
  const error: Error = await asking.catch((error) => error);
  expect(error).toMatchObject({ name: 'CredentialsProviderError', message: expect.stringMatching(reason) });
  expect(error.message).not.toContain('secret');
});

it('are not asked for in clear from another machine', async () => {
  const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/creds' };
  await expect(credentialsOf(env)()).rejects.toThrow(/example\.com, which must be asked by https/);
});

it.each([
  [{ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/x' }, 'http://169.254.170.2/v2/x'],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'https://example.com/creds' }, 'https://example.com/creds'],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://[fd00:ec2::23]/v1' }, 'http://[fd00:ec2::23]/v1'],
])('with %j come from %s', async (env, expected) => {
  const answer = { AccessKeyId: 'a', SecretAccessKey: 's', Token: 't', Expiration: '2999-01-01T00:00:00Z' };
  const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(answer)));
  await credentialsOf(env)();
  expect(String(fetched.mock.calls[0]?.[0])).toBe(expected);
  fetched.mockRestore();
});
