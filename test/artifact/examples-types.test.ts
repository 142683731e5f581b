import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './packed';

const examples = globSync('examples/*/src/*.ts', { cwd: root }).map((path) => path.split('/')[1] as string);

// The same files for every example, so each is read once.
const read = new Map<string, ts.SourceFile | undefined>();

/** What an editor finds wrong in a folder with its own `tsconfig.json`. */
function problems(folder: string): string[] {
  const { config, error } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  if (error) return [ts.flattenDiagnosticMessageText(error.messageText, '\n')];
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, target) => {
    if (!read.has(path)) read.set(path, getSourceFile(path, target));
    return read.get(path);
  };
  const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host))];
  return found.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

it('there are examples', () => {
  expect(new Set(examples).size).toBeGreaterThan(5);
});

it.each([...new Set(examples)].sort())('examples/%s is typed by its own tsconfig.json', (example) => {
  expect(problems(join(root, 'examples', example))).toEqual([]);
});
