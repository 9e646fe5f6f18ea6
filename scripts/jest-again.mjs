// Runs jest, and what has failed once more by itself. node scripts/jest-again.mjs [JEST'S OPTION]... What passes then
// was not broken but unsteady, on a machine with two cores and thousands of real processes: the run says which test
// files those are, and ends with 0. Whatever fails twice is a failure, and so are more than a few at once.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** More than these fail for a reason. */
const MOST_UNSTEADY = 3

const jest = (parameters) =>
  spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...parameters], {
    cwd: root,
    stdio: 'inherit',
  }).status === 0

/** The test files that have failed; undefined when jest has not come to its end. */
const failedOf = (report) => {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  } catch {
    return undefined
  }
}

const test = (options, directory) => {
  const report = join(directory, 'report.json')
  if (jest([...options, '--json', '--outputFile', report])) return true
  const failed = failedOf(report) ?? []
  if (failed.length === 0 || failed.length > MOST_UNSTEADY) return false
  console.log('\nOnce more, by themselves:')
  const config = options.includes('-c') ? ['-c', options[options.indexOf('-c') + 1]] : []
  if (!jest([...config, '--runInBand', '--runTestsByPath', ...failed])) return false
  for (const file of failed) console.log(`unsteady: ${relative(root, file)} failed, and passed by itself`)
  return true
}

const directory = mkdtempSync(join(os.tmpdir(), 'bashward-jest-'))
try {
  process.exitCode = test(process.argv.slice(2), directory) ? 0 : 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
