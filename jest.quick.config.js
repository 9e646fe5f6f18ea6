// What a change needs to know within minutes: `npm test`. All test files but those of test/only-in-test-all.txt.
const { readLeftOut } = require('./test/support/left-out.cjs')

const all = require('./jest.config.js')

/** @type {import('jest').Config} */
module.exports = {
  ...all,
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    ...readLeftOut().map((file) => `<rootDir>/test/${file}$`),
  ],
  reporters: ['default', ['<rootDir>/test/support/times-reporter.cjs', { limitS: 10 }]],
}
