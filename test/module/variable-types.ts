import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What to make of each part of a Terraform type expression. */
export interface Reading<Type, Field = Type> {
  string: Type;
  number: Type;
  bool: Type;
  list: (of: Type) => Type;
  map: (of: Type) => Type;
  object: (fields: Record<string, Type | Field>) => Type;
  optional: (of: Type) => Field;
}

/** Reads the types of variables.tf, as one object of all variables, of which those with a default are optional. */
export function readVariables<Type, Field = Type>(reading: Reading<Type, Field>): Type {
  const fields = variables().map(([name, type, hasDefault]) => {
    const read = evaluate(type, reading);
    return [name, hasDefault ? reading.optional(read) : read];
  });
  return reading.object(Object.fromEntries(fields));
}

function variables(): [name: string, type: string, hasDefault: boolean][] {
  const text = readFileSync(join(import.meta.dirname, '../../variables.tf'), 'utf8');
  return [...text.matchAll(/^variable "(\w+)" \{\n(.+?)^\}$/gms)].map(([, name = '', body = '']) => {
    const [, type = ''] = /^ {2}type += (.+?)\n(?: {2}\w|\n|$)/ms.exec(body) ?? [];
    return [name, type, /^ {2}default /m.test(body)];
  });
}

/** Type expressions are calls, as JavaScript has them but for ` = ` and the commas. */
function evaluate<Type, Field>(type: string, reading: Reading<Type, Field>): Type {
  const script = type.replace(/(\w+)\s*= /g, '$1: ').replace(/([^{(,\n])\n/g, '$1,\n');
  return new Function(...Object.keys(reading), `return ${script}`)(...Object.values(reading));
}
