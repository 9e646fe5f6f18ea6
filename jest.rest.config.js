// What `npm test` leaves out, for .ci/run: the test files of test/only-in-test-all.txt.
const { readLeftOut } = require('./test/support/left-out.cjs')

// For the tests' own processes, too: test/support/in-turns.ts.
process.env.BASHWARD_TEST_IN_TURNS = '1'

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  testMatch: readLeftOut().map((file) => `<rootDir>/test/${file}`),
}
