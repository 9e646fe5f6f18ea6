// Keeps how long each test file took last, for `npm run test:slowest`. In `npm test` it names those that take too long.
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { dirname, join, relative } = require('node:path')

module.exports = class {
  /**
   * @param {{ rootDir: string }} config
   * @param {{ limitS?: number }} options seconds that a file may take; none: any time
   */
  constructor({ rootDir }, { limitS = Number.POSITIVE_INFINITY } = {}) {
    this.rootDir = rootDir
    this.limitS = limitS
  }

  onRunComplete(_contexts, { testResults }) {
    const times = testResults.map(({ testFilePath, perfStats: { start, end } }) => [
      relative(this.rootDir, testFilePath),
      (end - start) / 1000,
    ])
    const file = join(this.rootDir, 'build', 'test-times.json')
    mkdirSync(dirname(file), { recursive: true })
    const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    // In one step: another run in this checkout may be reading it.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...before, ...Object.fromEntries(times) }))
    renameSync(`${file}.${process.pid}`, file)
    for (const [slow, seconds] of times.filter(([, time]) => time > this.limitS)) {
      process.stderr.write(
        `slow: ${slow} took ${seconds.toFixed(1)} s. If that is not the machine, list it in test/only-in-test-all.txt\n`,
      )
    }
  }
}
