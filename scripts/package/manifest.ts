/** The manifest of the published package, of which the repository's own is only a workspace. */
export function manifest(workspace: string): string {
  const { version, description, license, engines, peerDependencies, peerDependenciesMeta } =
    JSON.parse(workspace);
  return `${JSON.stringify(
    {
      name: 'run-once',
      version,
      description,
      keywords: ['aws', 'lambda', 'idempotency', 'dynamodb', 'sqs'],
      license,
      type: 'commonjs',
      engines,
      main: './index.js',
      types: './index.d.ts',
      exports: {
        '.': entry('index'),
        './testing': entry('testing'),
        './package.json': './package.json',
      },
      // For resolvers that know no exports.
      typesVersions: { '*': { testing: ['./testing.d.ts'] } },
      bin: { 'run-once': './cli.js' },
      sideEffects: false,
      peerDependencies,
      peerDependenciesMeta,
    },
    null,
    2,
  )}\n`;
}

const entry = (name: string) => ({
  import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
  require: { types: `./${name}.d.ts`, default: `./${name}.js` },
});
