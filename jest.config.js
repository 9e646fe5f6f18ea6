// Tests run the TypeScript sources through swc and the addon from build/Release; `npm run test:all` builds it first.
// `npm test` runs a part of them: jest.quick.config.js.
const { availableParallelism } = require('node:os')

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Installed packages: `npm run test:package`. What is sanitized: `npm run test:sanitized`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/package/',
    '<rootDir>/test/sanitized/sanitized-node.test.ts',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
  transform: {
    '^.+\\.(m?ts|mjs)$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
    // ES modules, which jest's own module loader cannot require.
    '/node_modules/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2022' } }],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(unbash|ai|@agentclientprotocol|@ai-sdk|@workflow|@standard-schema|eventsource-parser|zod)/)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Real processes on a loaded two-core machine: deadlines inside the tests are the guard, this is the backstop.
  testTimeout: 60_000,
  // Half of the time tests wait for processes: two for each core keep it busy.
  maxWorkers: 2 * availableParallelism(),
  reporters: ['default', '<rootDir>/test/support/times-reporter.cjs'],
}
