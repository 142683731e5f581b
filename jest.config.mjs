// One project a kind of test, so that `jest --selectProjects unit` is the quick loop
// and nothing there ever starts a service.
const project = (displayName, settings = {}) => ({
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  ...settings,
});

export default {
  projects: [project('unit'), project('protocol'), project('artifact'), project('runtime'), project('module')],
};
