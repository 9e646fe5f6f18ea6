// Sessions with the bash that BASHWARD_TEST_BASH names: `npm run test:bashes`.

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  reporters: ['default'],
  testMatch: [
    'aliases-and-options',
    'directory',
    'each-bash',
    'end-of-call',
    'exit-in-function',
    'forged-record',
    'functions',
    'hostile',
    'kept-and-named',
    'prologue',
    'random-state',
    'traps',
  ].map((name) => `<rootDir>/test/commands/session/${name}.test.ts`),
}
