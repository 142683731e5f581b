import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terraform } from '../../scripts/terraform';
import { remove, workspace } from '../module/workspace';
import { codeBlocks } from './code-blocks';

const blocks = codeBlocks('hcl');
const SOURCE = /"git::https:[^"]*"/;

/** What the blocks refer to and do not declare themselves. */
const DECLARATIONS: Record<string, string> = {
  aws_dynamodb_table: 'name = "any"\nhash_key = "pk"\nattribute {\n  name = "pk"\n  type = "S"\n}',
  aws_iam_role: 'assume_role_policy = "{}"',
  aws_kinesis_stream: 'shard_count = 1\nname = "any"',
  aws_kms_key: '',
  aws_lambda_function:
    'filename = "any.zip"\nfunction_name = "any"\nrole = "arn:aws:iam::123456789012:role/any"\ntimeout = 30',
  aws_sns_topic: '',
  aws_sqs_queue: '',
};

let folder: string;

beforeAll(async () => {
  folder = workspace('docs');
  write('module "idempotency" {\n  source = "../../.."\n  name = "any"\n}');
  await terraform(folder, ['init']);
}, 120_000);

afterAll(() => remove(folder));

it.each(blocks.map(({ at, code }) => [at, code] as const))('%s is valid', async (_, code) => {
  write(rootModule(code));
  await terraform(folder, ['validate']);
});

it('there are blocks to validate', () => {
  expect(blocks.length).toBeGreaterThan(10);
});

/** A block as a root module: arguments become those of the module, and a block without it gets it. */
function rootModule(code: string): string {
  const isWhole = /^(module|resource|import|output) /m.test(code);
  const call = isWhole ? code : `module "idempotency" {\n  source = ""\n  name = "any"\n${code}}`;
  const withModule = /^module /m.test(call)
    ? call
    : `${call}\nmodule "idempotency" {\n  source = ""\n  name = "any"\n}`;
  const text = withModule.replace('source = ""', 'source = "../../.."').replace(SOURCE, '"../../.."');
  return [text, ...missing(text)].join('\n');
}

function missing(text: string): string[] {
  const references = new Set([...text.matchAll(/(?<!\.)\b(aws_\w+)\.(\w+)/g)].map(([address]) => address));
  return [...references].flatMap((address) => {
    const [type = '', name = ''] = address.split('.');
    if (text.includes(`resource "${type}" "${name}"`)) return [];
    const body = DECLARATIONS[type];
    if (body === undefined)
      throw new Error(`${address} is referred to, but a ${type} is not among DECLARATIONS.`);
    return [`resource "${type}" "${name}" {\n${body}\n}`];
  });
}

function write(text: string): void {
  writeFileSync(join(folder, 'main.tf'), `${text}\n`);
}
