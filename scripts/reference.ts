/**
 * `npm run reference`: writes the module's inputs and outputs into README.md, between the two marks there, in the order
 * in which variables.tf and outputs.tf have them. With `-- --check` it only tells whether they are up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { goTool } from './go-tools';

interface Described {
  name: string;
  description: string;
  pos: { line: number };
}

interface Input extends Described {
  type: string;
  default: unknown;
  required: boolean;
}

const root = join(import.meta.dirname, '..');
const readme = join(root, 'README.md');
const START = '<!-- reference: npm run reference -->';
const END = '<!-- end of reference -->';

async function reference(): Promise<string> {
  const { stdout } = await execa(await goTool('terraform-config-inspect'), ['--json', root]);
  const { variables, outputs } = JSON.parse(stdout) as {
    variables: Record<string, Input>;
    outputs: Record<string, Described>;
  };
  const inputs = inOrder(variables).map((input) =>
    row(code(input.name), cell(input.description), typeOf(input.type), defaultOf(input)),
  );
  const results = inOrder(outputs).map((output) => row(code(output.name), cell(output.description)));
  return [
    '### Inputs',
    [row('Name', 'Description', 'Type', 'Default'), row('---', '---', '---', '---'), ...inputs].join('\n'),
    '### Outputs',
    [row('Name', 'Description'), row('---', '---'), ...results].join('\n'),
  ].join('\n\n');
}

const inOrder = <T extends Described>(described: Record<string, T>): T[] =>
  Object.values(described).sort((one, other) => one.pos.line - other.pos.line);

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const code = (text: string) => `\`${text}\``;

/** A cell of a Markdown table is one line: paragraphs and lists become HTML. */
function cell(markdown: string): string {
  const [text = '', ...items] = markdown.trim().split(/\n+- /).map(line);
  return items.length === 0 ? text : `${text}<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** What stands for something, as in `aws_sqs_queue.<name>.arn`, would be read as HTML where it is not code. */
const line = (text: string) =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .replace(/`[^`]*`|</g, (match) => (match === '<' ? '&lt;' : match));

const typeOf = (type: string) =>
  type.includes('\n') ? `<pre>${type.replace(/^ {2}/gm, '').replaceAll('\n', '<br>')}</pre>` : code(type);

const defaultOf = (input: Input) => (input.required ? 'required' : code(JSON.stringify(input.default)));

const text = readFileSync(readme, 'utf8');
const [before, rest = ''] = text.split(START);
const [, after] = rest.split(END);
if (after === undefined) throw new Error(`README.md has no ${START} followed by ${END}. Put them back.`);
const updated = `${before}${START}\n\n${await reference()}\n\n${END}${after}`;

if (!process.argv.includes('--check')) writeFileSync(readme, updated);
else if (updated !== text) {
  console.error('The reference in README.md is not that of the module. Run: npm run reference');
  process.exitCode = 1;
}
