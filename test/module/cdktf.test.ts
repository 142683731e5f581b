import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { jest } from '@jest/globals';
import { execa } from 'execa';
import {
  App,
  LocalBackend,
  TerraformHclModule,
  TerraformOutput,
  TerraformStack,
} from '../../examples/cdktf/node_modules/cdktn';
import { AwsProvider } from '../../examples/cdktf/src/aws';
import { Idempotency, type IdempotencyProps } from '../../examples/cdktf/src/idempotency';
import { snakeCase } from '../../examples/cdktf/src/inputs';
import { type Emulator, startEmulator } from '../../scripts/emulator';
import { functionNode } from '../../scripts/emulator/function-node';
import { lockProviders, outputs, planHasChanges, terraform } from '../../scripts/terraform';
import { readVariables } from './variable-types';
import { type Plan, plan, remove } from './workspace';

// Provider and emulator are real, and SQS resources wait half a minute each for their attributes to settle.
jest.setTimeout(15 * 60_000);

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/cdktf');
const PACKAGES = ['cdktf', 'cdktn'];
const read = (path: string) => readFileSync(join(root, path), 'utf8');

let emulator: Emulator;
let folder: string;
const env = () => ({ env: emulator.env });

beforeAll(async () => {
  emulator = await startEmulator();
  mkdirSync(join(root, '.cache/terraform'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache/terraform/cdktf-'));
});

afterAll(async () => {
  await emulator.stop();
  remove(folder);
});

async function init(stack: string): Promise<void> {
  lockProviders(stack);
  await terraform(stack, ['init']);
}

/** A stack of its own, of which nothing is outside of the folder. */
function newStack(name: string): TerraformStack {
  const stack = new TerraformStack(new App({ outdir: join(folder, name) }), 'orders');
  new LocalBackend(stack, { path: join(folder, `${name}.tfstate`) });
  return stack;
}

const stackOf = (name: string) => join(folder, name, 'stacks/orders');
const synthesised = (name: string) =>
  JSON.parse(readFileSync(join(stackOf(name), 'cdk.tf.json'), 'utf8'), withoutMetadata);
const withoutMetadata = (key: string, value: unknown) => (key === '//' ? undefined : value);

describe("the construct's inputs", () => {
  const camelCase = (name: string) => name.replace(/_./g, ([, letter = '']) => letter.toUpperCase());

  it.each(PACKAGES)(
    "have the types of the module's variables, and the example type checks, with %s",
    async (name) => {
      const inputs = readVariables<string, { optional: string }>({
        string: 'string',
        number: 'number',
        bool: 'boolean | IResolvable',
        list: (of) => `(${of})[]`,
        map: (of) => `Record<string, ${of}>`,
        optional: (of) => ({ optional: of }),
        object: (fields) =>
          `{ ${Object.entries(fields)
            .map(([field, of]) => [camelCase(field), of] as const)
            .map(([field, of]) => (typeof of === 'string' ? `${field}: ${of}` : `${field}?: ${of.optional}`))
            .join('; ')} }`,
      });
      const project = join(folder, `types-${name}`);
      mkdirSync(project);
      const imported = (path: string) => JSON.stringify(relative(project, join(example, path)));
      writeFileSync(
        join(project, 'types.ts'),
        `import { expectTypeOf } from 'expect-type';
      import type { IResolvable, TerraformStack } from ${imported(`node_modules/${name}`)};
      import { Idempotency } from ${imported('src/idempotency.ts')};
      import type { IdempotencyInputs } from ${imported('src/inputs.ts')};

      expectTypeOf<IdempotencyInputs<string, string, string, string>>().toEqualTypeOf<${inputs}>();

      declare const stack: TerraformStack;
      const { queues } = new Idempotency(stack, 'id', { name: 'a', queues: { orders: { functionTimeout: 1 } } });
      expectTypeOf(queues.orders.url).toEqualTypeOf<string>();
      // @ts-expect-error There is no such queue.
      queues.refunds;
      // @ts-expect-error There is no such input.
      new Idempotency(stack, 'id', { name: 'a', keepForSecond: 1 });
      // @ts-expect-error There is no such setting of a queue.
      new Idempotency(stack, 'id', { name: 'a', queues: { orders: { functionTimeout: 1, fifoQueue: true } } });
      `,
      );
      writeFileSync(
        join(project, 'tsconfig.json'),
        JSON.stringify({
          extends: relative(project, join(root, 'tsconfig.json')),
          compilerOptions: { customConditions: [name], types: ['node'] },
          include: ['types.ts', relative(project, join(example, 'src/main.ts'))],
        }),
      );
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { exitCode, stdout } = await execa(process.execPath, [tsc, '--project', project], {
        reject: false,
      });
      expect(stdout).toBe('');
      expect(exitCode).toBe(0);
    },
  );

  it("go to the module under Terraform's names, but keys as they are", () => {
    const sample = (nameOf: (name: string) => string) =>
      readVariables<unknown>({
        string: 'text',
        number: 1,
        bool: true,
        list: (of) => [of],
        map: (of) => ({ aKey: of }),
        optional: (of) => of,
        object: (fields) =>
          Object.fromEntries(Object.entries(fields).map(([field, of]) => [nameOf(field), of])),
      });
    const stack = newStack('inputs');
    const inputs = sample(camelCase) as IdempotencyProps<string>;
    new Idempotency(stack, 'idempotency', { ...inputs, source: 'registry/of/ours' });
    App.of(stack).synth();
    const variables = sample((name) => name) as object;
    expect(synthesised('inputs').module.idempotency).toEqual({ ...variables, source: 'registry/of/ours' });
  });

  it('have the release of the module for their source', () => {
    const stack = newStack('source');
    new Idempotency(stack, 'idempotency', { name: 'orders' });
    App.of(stack).synth();
    const [, url] = /source = "(git::[^"?]+)/.exec(read('README.md')) ?? [];
    const { version } = JSON.parse(read('package.json'));
    expect(synthesised('source').module.idempotency.source).toBe(`${url}?ref=v${version}`);
  });
});

describe("the construct's outputs", () => {
  const KEYED = ['functions', 'queueSettings', 'queues', 'streams'] as const;
  let idempotency: Idempotency<'a', 'a', 'a', 'a'>;

  // With something in each of the outputs that are by key.
  beforeAll(() => {
    const stack = newStack('outputs');
    new AwsProvider(stack, 'aws');
    idempotency = new Idempotency(stack, 'idempotency', {
      source: root,
      name: 'outputs',
      roleNames: { a: 'consumer' },
      functions: { a: {} },
      queues: { a: { functionName: 'consumer', functionTimeout: 1 } },
      existingQueues: { a: { functionTimeout: 1, visibilityTimeout: 6 } },
      streams: {
        a: {
          eventSourceArn: 'arn:aws:kinesis:us-east-1:123456789012:stream/orders',
          functionName: 'consumer',
          onFailure: { arn: 'arn:aws:sqs:us-east-1:123456789012:failed' },
        },
      },
    });
    for (const name of ownNames()) {
      const value = isKeyed(name) ? idempotency.get(snakeCase(name)) : idempotency[name as 'layerArn'];
      new TerraformOutput(stack, snakeCase(name), { value });
    }
    for (const name of KEYED) {
      const attributes = Object.entries(idempotency[name].a).map(([key, value]) => [snakeCase(key), value]);
      new TerraformOutput(stack, `a_of_${snakeCase(name)}`, { value: Object.fromEntries(attributes) });
    }
    App.of(stack).synth();
  });

  const isKeyed = (name: string) => KEYED.some((keyed) => keyed === name);

  function ownNames(): string[] {
    const plain = new TerraformHclModule(newStack('plain'), 'plain', { source: 'a/b/c' });
    return Object.keys(idempotency).filter((name) => !(name in plain) && !name.startsWith('_'));
  }

  it('are those of the module', () => {
    const outputs = [...read('outputs.tf').matchAll(/^output "(\w+)"/gm)].map(([, name = '']) => name);
    expect(ownNames().map(snakeCase).sort()).toEqual(outputs.sort());
    const { output } = synthesised('outputs');
    for (const name of outputs) expect(output[name].value).toBe(`\${module.idempotency.${name}}`);
  });

  it('have the attributes of the module', async () => {
    await init(stackOf('outputs'));
    const planned = (await plan(stackOf('outputs'), [], env())) as Plan & Outputs;
    for (const name of KEYED) {
      const { [snakeCase(name)]: theirs, [`a_of_${snakeCase(name)}`]: ours } = planned.output_changes;
      expect(ours?.after).toEqual(theirs?.after.a);
      expect(ours?.after_unknown).toEqual((theirs?.after_unknown || { a: false }).a);
      const kinds = Object.entries(idempotency[name].a).map(([key, token]) => [
        snakeCase(key),
        kindOf(token),
      ]);
      const known = Object.entries(theirs?.after.a ?? {}).map(([key, value]) => [key, kindOf(value)]);
      expect(Object.fromEntries(kinds)).toMatchObject(Object.fromEntries(known));
    }
  });

  interface Outputs {
    output_changes: Record<
      string,
      { after: Record<string, object>; after_unknown: false | Record<string, unknown> }
    >;
  }

  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
});

// The life of one deployment: each step goes on from the one before. It begins with cdktf and goes on with cdktn.
describe('the example', () => {
  const deletable = ['-var', 'keep_table=false'];
  let lambda: LambdaClient;

  beforeAll(() => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    lambda = new LambdaClient({ endpoint: emulator.endpoint, region: emulator.region, credentials });
  });
  afterAll(() => lambda.destroy());

  it.each(PACKAGES)('is synthesised with %s, without the repository that has the module', async (name) => {
    const node = functionNode().env.FUNCTION_NODE ?? '';
    await execa(node, [`--conditions=${name}`, join(example, 'src/main.ts')], {
      // The state is here, for both of them.
      cwd: folder,
      env: {
        CDKTF_CONTEXT_JSON: JSON.stringify({ idempotencySource: relative(folder, root) }),
        CDKTF_OUTDIR: name,
      },
    });
    const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => file.name);
    expect(names.sort()).toEqual(['cdk.tf.json', 'handle-orders.zip', 'manifest.json']);
  });

  it('is the same with both, but for what they say of themselves', () => {
    const [one, other] = PACKAGES.map(synthesised);
    expect(one.module.idempotency.name).toBe('orders');
    expect(other).toEqual(one);
  });

  it.each(PACKAGES)('is valid with %s', async (name) => {
    await init(stackOf(name));
    await terraform(stackOf(name), ['validate']);
  });

  it('is applied, and has nothing to change after that', async () => {
    await terraform(stackOf('cdktf'), ['apply', '-auto-approve', ...deletable], env());
    expect(await planHasChanges(stackOf('cdktf'), deletable, env())).toBe(false);
  });

  it('has nothing to change when it moves from cdktf to cdktn', async () => {
    expect(await planHasChanges(stackOf('cdktn'), deletable, env())).toBe(false);
  });

  it('handles an order once', async () => {
    const event = { Records: [{ messageId: '1', body: JSON.stringify({ id: '1042' }) }] };
    const logs: string[] = [];
    for (const _delivery of ['first', 'second']) {
      const { Payload, LogResult } = await lambda.send(
        new InvokeCommand({
          FunctionName: 'orders-handler',
          Payload: JSON.stringify(event),
          LogType: 'Tail',
        }),
      );
      expect(JSON.parse(Payload?.transformToString() ?? '')).toEqual({ batchItemFailures: [] });
      logs.push(Buffer.from(LogResult ?? '', 'base64').toString());
    }
    expect(logs[0]).toContain('{"shipped":"1042"}');
    expect(logs[1]).not.toContain('shipped');
  });

  it('is destroyed, and nothing of it is left', async () => {
    const { table_name } = await outputs<{ table_name: string }>(stackOf('cdktn'), env());
    expect(table_name).toBe('orders');
    await terraform(stackOf('cdktn'), ['destroy', '-auto-approve', ...deletable], env());
    expect(JSON.parse(await terraform(stackOf('cdktn'), ['show', '-json'], env())).values).toBeUndefined();
  });
});
