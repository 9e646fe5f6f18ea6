// npm run test:bashes: sessions on each bash. See docs/design/testing.md.
import { spawnSync } from 'node:child_process'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RowFailure } from '../kernels/failure.mjs'
import { UsageError } from '../support/command-line.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { bashOf } from './packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const parse = () => {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

/** The version that the bash reports; undefined when it does not run. */
const versionOf = (path) => {
  const { status, stdout } = spawnSync(path, ['-c', 'echo "$BASH_VERSION"'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

const test = (path) => {
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const { status } = spawnSync(process.execPath, [jest, '-c', 'jest.bashes.config.js'], {
    cwd: root,
    env: { ...process.env, BASHWARD_TEST_BASH: path },
    stdio: 'inherit',
  })
  return status === 0
}

/** The bashes to be tested, each as a path or as the reason why there is none. */
const collect = ({ paths, rows, refresh }) => {
  if (paths.length > 0) return paths.map((path) => ({ name: path, path }))
  const cache = join(process.env.XDG_CACHE_HOME || join(os.homedir(), '.cache'), 'bashward-bashes')
  return rows.map(({ version, release }) => {
    const name = `bash ${version} of Debian ${release}`
    try {
      return { name, version, path: bashOf({ cache, release, refresh }) }
    } catch (error) {
      if (error instanceof RowFailure) return { name, failure: error.message }
      throw error
    }
  })
}

const judge = ({ name, version, path, failure }) => {
  if (failure !== undefined) return `${name}: not to be had: ${failure}`
  const found = versionOf(path)
  if (found === undefined) return `${name}: does not run`
  if (version !== undefined && !found.startsWith(`${version}.`)) return `${name}: is ${found}`
  process.stdout.write(`\n${name}: ${found}\n`)
  return test(path) ? undefined : `${name}: a test has failed`
}

const options = parse()
if (options.help) {
  process.stdout.write(USAGE)
} else {
  const failures = collect(options).flatMap((bash) => judge(bash) ?? [])
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  process.exitCode = failures.length > 0 ? 1 : 0
}
