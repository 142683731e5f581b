import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { terraform } from '../../scripts/terraform';
import { accepted, type Refusal, refusals, type Variables } from './refused';
import { freshClone, moduleFiles, offlineProvider, remove, workspace } from './workspace';

// Where nothing else runs, all of it takes a quarter of a minute.
jest.setTimeout(3 * 60_000);

interface Diagnostic {
  severity: 'error' | 'warning';
  detail: string;
  snippet?: { context?: string };
}

/** What a rule says, without where it is. */
const messageOf = ({ detail }: Diagnostic) => detail.split('\n\nThis was checked by the validation rule')[0];

const writeJson = (path: string, value: object) => writeFileSync(path, JSON.stringify(value, null, 2));

/** One line of JSON for each thing that Terraform has to say. */
const plan = (folder: string) => terraform(folder, ['plan', '-json']).catch(String);

const diagnosticsIn = (output: string): Diagnostic[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => JSON.parse(line).diagnostic ?? []);

describe('The rules of variables', () => {
  const cases = [...refusals, ...accepted];
  const messages: Record<string, (string | undefined)[]> = {};

  // A module for each case, all in one plan. They have the variables only: more is not needed to check them.
  beforeAll(async () => {
    const folder = workspace('variables');
    mkdirSync(join(folder, 'module'));
    cpSync(join(import.meta.dirname, '../../variables.tf'), join(folder, 'module/variables.tf'));
    // Inputs that stand in the configuration would be looked at one by one first, and together only if each is right.
    const inputs = cases.map(([, variables]) => ({ name: 'shop', ...variables }));
    writeJson(join(folder, 'terraform.tfvars.json'), { inputs });
    writeJson(join(folder, 'main.tf.json'), {
      variable: { inputs: { type: 'any' } },
      module: Object.fromEntries(
        inputs.map((variables, index) => {
          const names = Object.keys(variables).map((name) => [name, `\${var.inputs[${index}].${name}}`]);
          return [`case_${index}`, { source: './module', ...Object.fromEntries(names) }];
        }),
      ),
    });
    await terraform(folder, ['init']);
    for (const diagnostic of diagnosticsIn(await plan(folder))) {
      const [, index = ''] = /^module\.case_(\d+)$/.exec(diagnostic.snippet?.context ?? '') ?? [];
      const [title] = cases[Number(index)] ?? [];
      if (index === '' || title === undefined) throw new Error(JSON.stringify(diagnostic, null, 2));
      messages[title] = [...(messages[title] ?? []), messageOf(diagnostic)];
    }
    remove(folder);
  });

  it.each(refusals)('refuse %s', (title, _, message) => {
    expect(messages[title]).toEqual([message]);
  });

  it.each(accepted)('take %s', (title) => {
    expect(messages[title]).toBeUndefined();
  });

  it('are told apart by the titles of their cases', () => {
    expect(new Set(cases.map(([title]) => title)).size).toBe(cases.length);
  });
});

const planned: Refusal[] = [
  [
    'T3: a layer that has not been built',
    { create_layer: true },
    "The layer's zip ./dist/layer.zip does not exist. Run `npm ci && npm run build` in the module's folder, use a release tag, which carries the zip, or set create_layer = false.",
  ],
  [
    'queues of the caller’s that show their messages too early',
    {
      existing_queues: {
        good: { function_timeout: 30, visibility_timeout: 180 },
        short: { function_timeout: 30, visibility_timeout: 179 },
        window: { function_timeout: 30, visibility_timeout: 180, batching_window: 5 },
      },
    },
    "An existing queue shows its messages again while a throttled batch may still be tried: short (visibility timeout 179; set 180, six times its function's timeout and the batching window), window (visibility timeout 180; set 185, six times its function's timeout and the batching window). Set visibility_timeout_seconds of the aws_sqs_queue to at least that.",
  ],
];

describe('The rules of plans', () => {
  let folder: string;

  beforeAll(async () => {
    folder = freshClone();
    writeJson(join(folder, 'provider.tf.json'), offlineProvider);
    await terraform(folder, ['init']);
  });

  afterAll(() => remove(folder));

  function planOf(variables: Variables): Promise<string> {
    writeJson(join(folder, 'terraform.tfvars.json'), { name: 'shop', create_layer: false, ...variables });
    return plan(folder);
  }

  it.each(planned)('tell of %s', async (_, variables, message) => {
    expect(diagnosticsIn(await planOf(variables)).map(messageOf)).toEqual([message]);
  });

  it('T3: are kept where nothing has been built, and no layer is asked for', async () => {
    await terraform(folder, ['validate']);
    expect(await planOf({})).toContain('"changes":{"add":2,');
  });
});

describe('Every rule of the module', () => {
  const rules = moduleFiles().flatMap((text) => [...text.matchAll(/^ +error_message = "(.*)"$/gm)]);
  const templates = rules.map(([, template = '']) => template);
  const messages = [...refusals, ...planned].map(([, , message]) => message);

  it('has a message of its own', () => {
    const blocks = moduleFiles().flatMap((text) => [
      ...text.matchAll(/^ *(validation|precondition|postcondition|assert) \{$/gm),
    ]);
    expect(blocks.length).toBeGreaterThan(70);
    expect(templates.length).toBe(blocks.length);
    expect(new Set(templates).size).toBe(templates.length);
  });

  it('has a case, and is the only one that a case is refused for', () => {
    const patterns = templates.map(pattern);
    const matches = (message: string) => patterns.filter((rule) => rule.test(message));
    expect(messages.filter((message) => matches(message).length !== 1)).toEqual([]);
    expect(patterns.filter((rule) => !messages.some((message) => rule.test(message)))).toEqual([]);
  });
});

/** What a message can be, with anything in place of each `${…}`, which may hold braces of its own. */
function pattern(template: string): RegExp {
  let depth = 0;
  let source = '';
  for (const [character] of template.replaceAll('\\"', '"').replaceAll('${', '{').matchAll(/./gu)) {
    if (character === '{') depth += 1;
    if (depth === 0) source += character.replace(/[.*+?^$()|[\]\\]/, '\\$&');
    if (character !== '}' || depth === 0) continue;
    depth -= 1;
    if (depth === 0) source += '.*';
  }
  return new RegExp(`^${source}$`, 'u');
}
