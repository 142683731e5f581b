import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

it('T4: every option, and every setting within one, is set where the module is switched off', () => {
  const variables = read('variables.tf');
  const options = [...variables.matchAll(/^variable "(\w+)"/gm)];
  const settings = [...variables.matchAll(/^ {4,}(\w+) += (?:optional\(|string$|number$)/gm)];
  expect(options.length).toBeGreaterThan(30);
  expect(settings.length).toBeGreaterThan(50);

  const set = new Set([...read('test/create.tftest.hcl').matchAll(/(\w+) += /g)].map(([, name]) => name));
  const names = [...options, ...settings].map(([, name]) => name);
  expect(names.filter((name) => !set.has(name))).toEqual([]);
});
