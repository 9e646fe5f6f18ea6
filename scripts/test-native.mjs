// Builds and runs the native tests: the core without Node, as it is and under sanitizers.
//   node scripts/test-native.mjs [--preset test|asan|tsan] [--all]
// The presets are those of CMakePresets.json; the default is test. Where something is missing that they need, it says
// what and ends with 0; with BASHWARD_MUST_WORK=1 that is a failure.
import { spawnSync } from 'node:child_process'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const PRESETS = ['test', 'asan', 'tsan']
const OLDEST_CMAKE = [3, 21] // the first whose presets name tests, too
const jobs = String(os.availableParallelism())

class Missing extends Error {}
class Failed extends Error {}

/** @returns {string[]} the presets to run; ends the process on bad arguments. */
function parsePresets() {
  try {
    const { values } = parseArgs({ options: { preset: { type: 'string' }, all: { type: 'boolean' } } })
    if (values.all) return PRESETS
    const preset = values.preset ?? 'test'
    if (PRESETS.includes(preset)) return [preset]
    console.error(`--preset: must be one of ${PRESETS.join(', ')} (got ${JSON.stringify(preset)})`)
  } catch (error) {
    console.error(error.message)
  }
  process.exit(2)
}

/** Throws Missing unless there is a CMake that knows the presets. */
function requireCMake() {
  const { status, stdout } = spawnSync('cmake', ['--version'], { encoding: 'utf8' })
  if (status !== 0) throw new Missing('CMake is not installed')
  const [major, minor] = (/version (\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? [0, 0]).map(Number)
  if (major > OLDEST_CMAKE[0] || (major === OLDEST_CMAKE[0] && minor >= OLDEST_CMAKE[1])) return
  throw new Missing(`CMake ${OLDEST_CMAKE.join('.')} or newer is needed (this is ${major}.${minor})`)
}

/** Runs one program to its end; its output is shown only if it is needed. */
function run(program, parameters) {
  const started = process.hrtime.bigint()
  const result = spawnSync(program, parameters, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    // Taken by CMake for a directory that has not been configured yet.
    env: { ...process.env, ...(hasNinja ? { CMAKE_GENERATOR: process.env.CMAKE_GENERATOR ?? 'Ninja' } : {}) },
  })
  if (result.error) throw new Failed(`${program}: ${result.error.message}`)
  const seconds = Number(process.hrtime.bigint() - started) / 1e9
  return { ok: result.status === 0, output: result.stdout + result.stderr, time: `${seconds.toFixed(1)} s` }
}

function configure(preset) {
  const { ok, output, time } = run('cmake', ['--preset', preset])
  const missing = /bashward cannot test: (.+)/.exec(output)
  if (missing) throw new Missing(missing[1])
  if (!ok) throw new Failed(`${output}\nnative tests, ${preset}: configuring failed`)
  console.log(`${preset}: configured in ${time}`)
}

function build(preset) {
  const { ok, output, time } = run('cmake', ['--build', '--preset', preset, '--parallel', jobs])
  if (!ok) throw new Failed(`${output}\nnative tests, ${preset}: the build failed`)
  console.log(`${preset}: built in ${time}`)
}

function test(preset) {
  const { ok, output, time } = run('ctest', ['--preset', preset, '--parallel', jobs])
  if (!ok) {
    // What passed, and that something was started, says nothing when something else failed.
    const telling = output
      .split('\n')
      .filter((line) => !/^ +Start +\d+:|^ *\d+\/\d+ Test +#\d+: .* Passed /.test(line))
    throw new Failed(`${telling.join('\n')}\nnative tests, ${preset}: failed after ${time}`)
  }
  const count = /tests failed out of (\d+)/.exec(output)?.[1] ?? 'all'
  console.log(`${preset}: ${count} tests passed in ${time}`)
}

const presets = parsePresets()
const hasNinja = spawnSync('ninja', ['--version'], { stdio: 'ignore' }).status === 0
try {
  requireCMake()
  for (const preset of presets) {
    configure(preset)
    build(preset)
    test(preset)
  }
} catch (error) {
  if (!(error instanceof Missing || error instanceof Failed)) throw error
  const mustWork = process.env.BASHWARD_MUST_WORK === '1'
  console.error(error instanceof Missing ? `native tests skipped: ${error.message}` : error.message)
  process.exitCode = error instanceof Failed || mustWork ? 1 : 0
}
