// Builds and runs the native tests: the core without Node, as it is and under sanitizers. node
// scripts/test-native.mjs [--preset test|asan|tsan] [--all] The presets are those of CMakePresets.json; the default
// is test. Where something that they need is missing, it says what and ends with 0; with BASHWARD_MUST_WORK=1 that is
// a failure.
import { parseArgs } from 'node:util'
import { build, configure, explain, Failed, jobs, requireCMake, run } from './native-presets.mjs'

const PRESETS = ['test', 'asan', 'tsan']

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

function test(preset) {
  const { ok, output, time } = run('ctest', ['--preset', preset, '--parallel', jobs])
  if (!ok) {
    // After a failure, lines about what passed or started tell nothing.
    const telling = output
      .split('\n')
      .filter((line) => !/^ +Start +\d+:|^ *\d+\/\d+ Test +#\d+: .* Passed /.test(line))
    throw new Failed(`${telling.join('\n')}\nnative tests, ${preset}: failed after ${time}`)
  }
  const count = /tests failed out of (\d+)/.exec(output)?.[1] ?? 'all'
  console.log(`${preset}: ${count} tests passed in ${time}`)
}

const presets = parsePresets()
try {
  requireCMake()
  for (const preset of presets) {
    configure(preset)
    build(preset)
    test(preset)
  }
} catch (error) {
  process.exitCode = explain(error, 'native tests')
}
