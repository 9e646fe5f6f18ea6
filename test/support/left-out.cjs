// Reads test/only-in-test-all.txt: which test files `npm test` leaves out.
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * @param {string} text lines of paths below test/, as in only-in-test-all.txt; files without `.test.ts`
 * @param {string[]} files all test files, below test/
 * @returns {string[]} those of the files that it leaves out
 * @throws {Error} when a line fits no file: it may be misspelt, or the file is gone
 */
exports.chooseLeftOut = (text, files) => {
  const lines = text.split('\n').filter((line) => /^[^#\s]/.test(line))
  const leftOut = new Set()
  for (const line of lines) {
    const path = line.replace('!', '')
    const fitting = files.filter((file) => file === `${path}.test.ts` || file.startsWith(`${path}/`))
    if (fitting.length === 0)
      throw new Error(`only-in-test-all.txt: there is no test file for the line ${line}`)
    for (const file of fitting) line.startsWith('!') ? leftOut.delete(file) : leftOut.add(file)
  }
  return [...leftOut]
}

/** @returns {string[]} the files below test/ that only `npm run test:all` runs */
exports.readLeftOut = () => {
  const tests = join(__dirname, '..')
  const files = readdirSync(tests, { recursive: true }).filter((file) => file.endsWith('.test.ts'))
  return exports.chooseLeftOut(readFileSync(join(tests, 'only-in-test-all.txt'), 'utf8'), files)
}
