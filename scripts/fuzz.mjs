// Builds the fuzzers with clang and runs each for a while; what it finds new stays in build/fuzz/corpus/.
//   node scripts/fuzz.mjs [--seconds N]
// Where something is missing that they need, it says what and ends with 0; with BASHWARD_MUST_WORK=1 that is a failure.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const build = join(root, 'build/fuzz')
/** Name of the fuzzer, and the longest input in bytes; what it begins with. */
const FUZZERS = [
  { name: 'parse', maxLength: 2048, seeds: 'test/fuzz/seeds', dictionary: 'test/fuzz/bash.dict' },
  { name: 'request', maxLength: 8192 },
  { name: 'messages', maxLength: 16_384 },
  { name: 'buffers', maxLength: 2048 },
]

/** @returns {number} whole seconds for each fuzzer; ends the process on bad arguments. */
function parseSeconds() {
  try {
    const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
    if (/^[1-9]\d{0,5}$/.test(values.seconds)) return Number(values.seconds)
    console.error(
      `--seconds: must be a whole number from 1 to 999999 (got ${JSON.stringify(values.seconds)})`,
    )
  } catch (error) {
    console.error(error.message)
  }
  process.exit(2)
}

function skip(reason) {
  console.error(`fuzzing skipped: ${reason}`)
  process.exit(process.env.BASHWARD_MUST_WORK === '1' ? 1 : 0)
}

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Runs one program to its end; ends the process, with its output, when it fails. */
function run(...words) {
  const [program, ...parameters] = words
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  const missing = /bashward cannot fuzz: (.+)/.exec(stderr)
  if (missing) skip(missing[1])
  console.error(`${stdout}${stderr}`)
  process.exit(1)
}

const seconds = parseSeconds()
if (!has('cmake')) skip('CMake is not installed')
const clang = ['19', ''].map((version) => version && `-${version}`).find((suffix) => has(`clang++${suffix}`))
if (clang === undefined) skip('clang is not installed')

run(
  ...['cmake', '-S', '.', '-B', build, ...(has('ninja') ? ['-G', 'Ninja'] : [])],
  ...['-DBASHWARD_FUZZ=ON', '-DCMAKE_BUILD_TYPE=RelWithDebInfo'],
  ...[`-DCMAKE_C_COMPILER=clang${clang}`, `-DCMAKE_CXX_COMPILER=clang++${clang}`],
)
run('cmake', '--build', build)
for (const { name, maxLength, seeds, dictionary } of FUZZERS) {
  const corpus = join(build, 'corpus', name)
  mkdirSync(corpus, { recursive: true })
  console.log(`\n${name}:`)
  const { status } = spawnSync(
    join(build, `test/fuzz/bashward-${name}-fuzzer`),
    [
      corpus,
      ...(seeds === undefined ? [] : [join(root, seeds)]),
      '-len_control=0',
      `-max_total_time=${seconds}`,
      `-max_len=${maxLength}`,
      '-timeout=20',
      '-print_final_stats=1',
      ...(dictionary === undefined ? [] : [`-dict=${join(root, dictionary)}`]),
      `-artifact_prefix=${build}/${name}-`,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (status !== 0) process.exit(1)
}
