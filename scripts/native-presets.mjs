// Builds what a preset of CMakePresets.json describes, for the programs that test it.
import { spawnSync } from 'node:child_process'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export const jobs = String(os.availableParallelism())

const OLDEST_CMAKE = [3, 21] // the first whose presets name tests, too
const hasNinja = spawnSync('ninja', ['--version'], { stdio: 'ignore' }).status === 0

/** Something is not installed. */
export class Missing extends Error {}

/** Something is broken; the message says everything. */
export class Failed extends Error {}

/** Throws Missing unless there is a CMake that knows the presets. */
export function requireCMake() {
  const { status, stdout } = spawnSync('cmake', ['--version'], { encoding: 'utf8' })
  if (status !== 0) throw new Missing('CMake is not installed')
  const [major, minor] = (/version (\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? [0, 0]).map(Number)
  if (major > OLDEST_CMAKE[0] || (major === OLDEST_CMAKE[0] && minor >= OLDEST_CMAKE[1])) return
  throw new Missing(`CMake ${OLDEST_CMAKE.join('.')} or newer is needed (this is ${major}.${minor})`)
}

/** Runs one program to its end; its output is shown only if it is needed. */
export function run(program, parameters) {
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

/** Throws Missing, or Failed. */
export function configure(preset) {
  const { ok, output, time } = run('cmake', ['--preset', preset])
  const missing = /bashward cannot test: (.+)/.exec(output)
  if (missing) throw new Missing(missing[1])
  if (!ok) throw new Failed(`${output}\nnative tests, ${preset}: configuring failed`)
  console.log(`${preset}: configured in ${time}`)
}

/** Builds these targets, or all. Throws Failed. */
export function build(preset, targets = []) {
  const what = targets.length === 0 ? [] : ['--target', ...targets]
  const { ok, output, time } = run('cmake', ['--build', '--preset', preset, '--parallel', jobs, ...what])
  if (!ok) throw new Failed(`${output}\nnative tests, ${preset}: the build failed`)
  console.log(`${preset}: built in ${time}`)
}

/**
 * Says what is missing or broken. With BASHWARD_MUST_WORK=1 what is missing is a failure as well.
 *
 * @param {unknown} error anything but Missing and Failed is thrown again
 * @param {string} what that was to be done
 * @returns {number} the exit status
 */
export function explain(error, what) {
  if (!(error instanceof Missing || error instanceof Failed)) throw error
  console.error(error instanceof Missing ? `${what} skipped: ${error.message}` : error.message)
  return error instanceof Failed || process.env.BASHWARD_MUST_WORK === '1' ? 1 : 0
}
