// The tests that use the addon, where it is sanitized: `npm run test:sanitized`. What cannot pass there is named in
// test/sanitized/cannot.json; a test named there has to fail.

// Not the portable engine because the addon does not load.
process.env.BASHWARD_ENGINE = 'native'

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  reporters: ['default'],
  testEnvironment: '<rootDir>/test/sanitized/environment.cjs',
  testMatch: [
    ...[
      'commands/calls',
      'processes/engine',
      'failures',
      'host',
      'commands/jobs',
      'commands/jobs-live',
      'limits',
      'native',
      'guard/sandbox',
      'commands/session',
      'tools',
    ].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    '<rootDir>/test/base/util/process-identity.test.ts',
    '<rootDir>/test/sanitized/sanitized-node.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
}
