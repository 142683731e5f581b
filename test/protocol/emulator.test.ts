import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateFunctionCommand,
  InvokeCommand,
  LambdaClient,
  PublishLayerVersionCommand,
} from '@aws-sdk/client-lambda';
import { deterministicZip } from '../../scripts/deterministic-zip';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import type { Layers } from '../../scripts/emulator/function-node';

const encode = (text: string) => new TextEncoder().encode(text);
const layerZip = (text: string) =>
  deterministicZip({
    'nodejs/index.js': encode(`module.exports = { from: ${JSON.stringify(text)} };`),
    'nodejs/index.mjs': encode(
      "import layer from './index.js'; export default layer; export const { from } = layer;",
    ),
    'nodejs/package.json': encode('{ "main": "./index.js" }'),
  });

const HANDLERS = {
  'esm.mjs': `
    import layer, { from } from '/opt/nodejs/index.mjs';
    import { createRequire } from 'node:module';
    const same = layer === createRequire(import.meta.url)('/opt/nodejs');
    export const handler = async () => ({ from, same, node: process.versions.node });`,
  'commonjs.cjs': `
    const { from } = require('/opt/nodejs');
    exports.handler = async () => ({ from, esm: await import('/opt/nodejs/index.mjs').then((esm) => esm.from) });`,
  'required.cjs': `
    exports.handler = async () => {
      try { require('/opt/nodejs/index.mjs'); } catch (error) { return error.code; }
    };`,
};

// Elsewhere the emulator takes the hook by itself; there is no way to mount to be tested.
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describe.each<[Layers, typeof describe]>([
  ['mount', canMount ? describe : describe.skip],
  ['hook', describe],
])('layers by %s', (layers, describe) => {
  describe('at /opt', () => {
    let emulator: Emulator;
    let lambda: LambdaClient;
    let layerArn: string | undefined;

    beforeAll(async () => {
      emulator = await startEmulator({ layers });
      const { endpoint, region, env } = emulator;
      const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY };
      lambda = new LambdaClient({ endpoint, region, credentials });
      const { LayerVersionArn } = await lambda.send(
        new PublishLayerVersionCommand({
          LayerName: 'layer',
          Content: { ZipFile: layerZip('the published layer') },
        }),
      );
      layerArn = LayerVersionArn;
    });

    afterAll(() => emulator.stop());

    async function invoke(file: keyof typeof HANDLERS, layerArns = [layerArn as string]): Promise<unknown> {
      const [name = ''] = file.split('.');
      const FunctionName = `${name}-${layerArns.length}`;
      await lambda.send(
        new CreateFunctionCommand({
          FunctionName,
          Role: 'arn:aws:iam::000000000000:role/any',
          Runtime: 'nodejs22.x',
          Handler: `${name}.handler`,
          Layers: layerArns,
          Code: { ZipFile: deterministicZip({ [file]: encode(HANDLERS[file]) }) },
        }),
      );
      const { Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
      return JSON.parse(new TextDecoder().decode(Payload));
    }

    test('an ES module imports it, and it is the instance that require gives', async () => {
      const node = expect.stringMatching(/^2[2-9]\./);
      expect(await invoke('esm.mjs')).toEqual({ from: 'the published layer', same: true, node });
    });

    test('a CommonJS module requires it', async () => {
      expect(await invoke('commonjs.cjs')).toEqual({
        from: 'the published layer',
        esm: 'the published layer',
      });
    });

    test('an ES module cannot be required, as in Lambda', async () => {
      expect(await invoke('required.cjs')).toBe('ERR_REQUIRE_ESM');
    });

    test('of two layers with the same file, the later one wins', async () => {
      const { LayerVersionArn } = await lambda.send(
        new PublishLayerVersionCommand({
          LayerName: 'later',
          Content: { ZipFile: layerZip('the later layer') },
        }),
      );
      expect(await invoke('esm.mjs', [layerArn as string, LayerVersionArn as string])).toMatchObject({
        from: 'the later layer',
      });
    });

    test('a function without the layer finds nothing', async () => {
      expect(await invoke('commonjs.cjs', [])).toMatchObject({
        errorMessage: expect.stringContaining('/opt/nodejs'),
      });
    });
  });
});

describe('to the provider', () => {
  let emulator: Emulator;
  const post = async (call: string, agent: string) => {
    const response = await fetch(emulator.endpoint, {
      method: 'POST',
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=x',
        'amz-sdk-invocation-id': call,
        'user-agent': agent,
      },
      body: new URLSearchParams({ Action: 'CreateGroup', GroupName: 'group', Version: '2010-05-08' }),
    });
    return { status: response.status, text: await response.text() };
  };

  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.stop());

  test('the emulator answers a request that is sent again, and does not carry it out twice', async () => {
    const first = await post('a', 'terraform-provider-aws/5.100.0');
    expect(first.status).toBe(200);
    expect(await post('a', 'terraform-provider-aws/5.100.0')).toEqual(first);
    expect(await post('b', 'terraform-provider-aws/5.100.0')).toMatchObject({ status: 409 });
    expect(await post('a', 'another SDK')).toMatchObject({ status: 409 });
  });

  test('the emulator is the proxy of hosts that begin with the account', async () => {
    const { hostname, port } = new URL(emulator.endpoint);
    const path = 'http://000000000000.emulator/v20180820/tags/arn%3Aaws%3As3%3A%3A%3Anone';
    const proxied = request({ hostname, port, path, headers: { host: '000000000000.emulator' } }).end();
    const [response] = (await once(proxied, 'response')) as [IncomingMessage];
    expect(await text(response)).toContain('ListTagsForResourceResult');
  });
});

test('the emulator ends with the process that started it, even if that is killed', async () => {
  const program = `
    const { startEmulator } = await import(${JSON.stringify(`${import.meta.dirname}/../../scripts/emulator.ts`)});
    console.log((await startEmulator()).endpoint);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const endpoint = String(line).trim();
  expect((await fetch(`${endpoint}/_ministack/ready`)).ok).toBe(true);

  parent.kill('SIGKILL');

  // Fails by the test's own timeout.
  while (await fetch(endpoint).catch(() => undefined)) await sleep(50);
});

test('stop() ends it', async () => {
  const emulator = await startEmulator();
  await emulator.stop();
  await expect(fetch(emulator.endpoint)).rejects.toThrow('fetch failed');
});
