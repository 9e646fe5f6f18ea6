// The tools' tests on the portable engine: `npm run test:portable`. What that cannot do is named in
// test/processes/engine/portable/cannot.json; a test named there has to fail.

process.env.BASHWARD_ENGINE = 'portable'
// What cannot be tested here is to be named as well.
process.env.BASHWARD_MUST_WORK = '1'

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  reporters: ['default'],
  testEnvironment: '<rootDir>/test/processes/engine/portable/environment.cjs',
  testMatch: [
    ...['tools', 'commands/run', 'commands/session', 'commands/jobs', 'surfaces/cli', 'failures'].map(
      (folder) => `${folder}/**/*`,
    ),
    'guard/sandbox/find-bash',
    'base/util/process-identity',
  ].map((tests) => `<rootDir>/test/${tests}.test.ts`),
}
