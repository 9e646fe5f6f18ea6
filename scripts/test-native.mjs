// Builds and runs the native tests: the core without Node, as it is and under sanitizers. node
// scripts/test-native.mjs [--preset test|asan|tsan]... [--all] [--again] The presets are those of CMakePresets.json; the
// default is test. Where something that they need is missing, it says what and ends with 0; with BASHWARD_MUST_WORK=1
// that is a failure. With --again a few tests that fail are run once more, one after the other, and those that pass
// then are named as unsteady.
import { parseArgs } from 'node:util'
import { build, configure, explain, Failed, jobs, requireCMake, run } from './native-presets.mjs'

const PRESETS = ['test', 'asan', 'tsan']

/** Half of the time the tests wait for processes. */
const waiting = String(2 * jobs)

/** More than these fail for a reason. */
const MOST_UNSTEADY = 3

/** @returns {{ presets: string[], again: boolean }} ends the process on bad arguments. */
function parse() {
  try {
    const { values } = parseArgs({
      options: {
        preset: { type: 'string', multiple: true, default: ['test'] },
        all: { type: 'boolean' },
        again: { type: 'boolean' },
      },
    })
    const again = values.again ?? false
    if (values.all) return { presets: PRESETS, again }
    const unknown = values.preset.find((preset) => !PRESETS.includes(preset))
    if (unknown === undefined) return { presets: values.preset, again }
    console.error(`--preset: must be one of ${PRESETS.join(', ')} (got ${JSON.stringify(unknown)})`)
  } catch (error) {
    console.error(error.message)
  }
  process.exit(2)
}

/** Without lines about what passed or started, which tell nothing after a failure. */
const tellingOf = (output) =>
  output
    .split('\n')
    .filter((line) => !/^ +Start +\d+:|^ *\d+\/\d+ Test +#\d+: .* Passed /.test(line))
    .join('\n')

/** The names under "The following tests FAILED:". */
const failedOf = (output) =>
  Array.from(
    output.matchAll(/^\s+\d+ - (\S+) .*\((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)/gm),
    ([, name]) => name,
  )

/** Whether what has failed passes one after the other. What a sanitizer has reported is a fault, however rare. */
function passByThemselves(preset, output) {
  const failed = failedOf(output)
  if (failed.length === 0 || failed.length > MOST_UNSTEADY || /Sanitizer/.test(output)) return false
  if (!run('ctest', ['--preset', preset, '--rerun-failed', '--parallel', '1']).ok) return false
  for (const name of failed) console.log(`unsteady: ${name} failed, and passed by itself`)
  return true
}

function test(preset, again) {
  const { ok, output, time } = run('ctest', ['--preset', preset, '--parallel', waiting])
  if (!ok) {
    const told = `${tellingOf(output)}\nnative tests, ${preset}: failed after ${time}`
    if (!again) throw new Failed(told)
    console.log(told)
    if (!passByThemselves(preset, output)) throw new Failed('')
    return
  }
  const count = /tests failed out of (\d+)/.exec(output)?.[1] ?? 'all'
  console.log(`${preset}: ${count} tests passed in ${time}`)
}

const { presets, again } = parse()
try {
  requireCMake()
  for (const preset of presets) {
    configure(preset)
    build(preset)
    test(preset, again)
  }
} catch (error) {
  process.exitCode = explain(error, 'native tests')
}
