// The packed package as its users install it: `npm run test:package`. Not part of `npm test`, because it needs the
// package registry and the prebuilt binaries.
const base = require('../../jest.config.js')

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/package'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  maxWorkers: 1,
}
