import { dirname, join } from 'node:path';
import ts from 'typescript';
import { codeBlocks, root } from './code-blocks';

const blocks = codeBlocks('ts', 'js');

/**
 * Where the compiler finds a block: beside its page, so that imports lead to what is there, or installed. By the name in
 * its first line, a block may be imported by another one.
 */
function fileOf(index: number): string {
  const { at = '', code = '' } = blocks[index] ?? {};
  const [, name = `block-${index}.ts`] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? [];
  return join(root, dirname(at), name);
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts'],
  types: ['node', 'jest'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  // A block without an import is a module, too.
  moduleDetection: ts.ModuleDetectionKind.Force,
  paths: {
    '/opt/nodejs/index.mjs': [join(root, 'layer/index.ts')],
    '/opt/nodejs': [join(root, 'layer/index.ts')],
    'run-once/testing': [join(root, 'testing/index.ts')],
    // Installed for the benchmark alone.
    '@aws-lambda-powertools/idempotency': [
      join(root, 'bench/node_modules/@aws-lambda-powertools/idempotency'),
    ],
    '@aws-lambda-powertools/idempotency/*': [
      join(root, 'bench/node_modules/@aws-lambda-powertools/idempotency/*'),
      join(
        root,
        'bench/node_modules/@aws-lambda-powertools/idempotency/lib/cjs/persistence/DynamoDBPersistenceLayer.d.ts',
      ),
    ],
  },
};

let program: ts.Program;

beforeAll(() => {
  const files = new Map(blocks.map(({ code }, index) => [fileOf(index), code]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, language) => {
    const code = files.get(path);
    return code === undefined ? getSourceFile(path, language) : ts.createSourceFile(path, code, language);
  };
  program = ts.createProgram([...files.keys(), join(import.meta.dirname, 'names.d.ts')], options, host);
}, 120_000);

it.each(blocks.map(({ at }, index) => [at, index] as const))('%s compiles', (_, index) => {
  const source = program.getSourceFile(fileOf(index)) as ts.SourceFile;
  const found = ts.getPreEmitDiagnostics(program, source).map(({ messageText, start = 0 }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    return `line ${line + 1} of the block: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(found).toEqual([]);
});

it('there are blocks to compile', () => {
  expect(blocks.length).toBeGreaterThan(10);
});
