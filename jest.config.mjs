// One project a kind of test, so that `npm run test:unit` is the quick loop and nothing there ever starts a service.
// Tests are ES modules, as the scripts and half of the dependencies are: run jest by `npm run jest -- …`, which gives
// Node.js the flag that jest needs for them.
const project = (displayName) => ({
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/.cache',
    '<rootDir>/.venv',
    '<rootDir>/examples/.*/dist',
  ],
  // Where the examples' functions find the layer.
  moduleNameMapper: {
    '^/opt/nodejs(/index\\.mjs)?$': '<rootDir>/layer/index.ts',
    '^run-once/testing$': '<rootDir>/testing/index.ts',
  },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
  },
});

// Mutation testing runs the unit tests only, within a sandbox of its own.
const projects =
  process.env.STRYKER_MUTATOR_WORKER === undefined
    ? ['unit', 'docs', 'protocol', 'artifact', 'runtime', 'module', 'processes', 'chaos']
    : ['unit'];

export default {
  projects: projects.map(project),
  // For `npm run coverage`: every branch of the layer but what only lists or loads.
  collectCoverageFrom: ['layer/**/*.ts', '!layer/index.ts'],
  coverageReporters: ['text'],
  coverageThreshold: { global: { branches: 100, lines: 100 } },
  // Services start within a test's set-up; a unit test has no use for so long.
  testTimeout: 60_000,
};
