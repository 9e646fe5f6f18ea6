// Formats the native sources and their tests, or with --check says which are not formatted. node
// scripts/clang-format.mjs [--check] Versions of clang-format disagree: version 19 formats the sources, and only
// version 19 may judge them. Where it is missing, this says so and ends with 0; with BASHWARD_MUST_WORK=1 that is a
// failure.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const MAJOR = 19
const NAMES = [`clang-format-${MAJOR}`, 'clang-format']

/** @returns {boolean} whether --check was given; ends the process on bad arguments. */
function parseCheck() {
  try {
    return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

/** The first clang-format that there is: its name, its version and the first number of that; undefined without one. */
function find() {
  for (const name of NAMES) {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' })
    const version = status === 0 ? /version (\d+)\.[\d.]+/.exec(stdout) : null
    if (version) return { name, version: version[0].slice('version '.length), major: Number(version[1]) }
  }
  return undefined
}

/** The .cc and .h files under these directories, relative to the checkout. */
function sources(...directories) {
  return directories
    .flatMap((directory) =>
      readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(cc|h)$/.test(entry.name))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
    )
    .sort()
}

function skip(reason) {
  console.error(`clang-format skipped: ${reason}`)
  process.exit(process.env.BASHWARD_MUST_WORK === '1' ? 1 : 0)
}

const check = parseCheck()
const formatter = find()
if (!formatter) skip(`none of ${NAMES.join(', ')} is installed`)
if (check && formatter.major !== MAJOR) {
  skip(`${formatter.name} is version ${formatter.version}, which formats differently from ${MAJOR}`)
}

const files = sources('native', 'test/fuzz', 'test/native', 'test/sanitized')
const mode = check ? ['--dry-run', '--Werror'] : ['-i']
const { status, stderr } = spawnSync(formatter.name, [...mode, '--style=file', ...files], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
})
// clang-format prints one diagnostic per place that would change; only the file name helps.
const unformatted = files.filter((file) => stderr.includes(`${file}:`)).map((file) => relative(root, file))
if (status === 0) {
  console.log(`clang-format ${formatter.version}: ${files.length} files ${check ? 'are ' : ''}formatted`)
} else if (check && unformatted.length > 0) {
  console.error(
    `clang-format ${formatter.version}: not formatted (npm run format):\n  ${unformatted.join('\n  ')}`,
  )
  process.exitCode = 1
} else {
  console.error(`${stderr}\nclang-format ${formatter.version}: failed`)
  process.exitCode = 1
}
