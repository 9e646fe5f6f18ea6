// Builds the fuzzers with clang and runs each for a while. They begin with test/fuzz/corpus/ and leave new finds in
// build/fuzz/corpus/. --keep takes those that reach more code into the former. node scripts/fuzz.mjs [--seconds N]
// [--jobs N] [--keep] [NAME...] Where something that they need is missing, it says what and ends with 0; with
// BASHWARD_MUST_WORK=1 that is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const build = join(root, 'build/fuzz')
/**
 * Name of the fuzzer, and the longest input in bytes; the longest that is kept, where short ones say nearly as much;
 * what it begins with beside its corpus.
 */
const FUZZERS = [
  {
    name: 'parse',
    maxLength: 2048,
    keptLength: 160,
    seeds: 'test/fuzz/seeds',
    dictionary: 'test/fuzz/bash.dict',
  },
  { name: 'request', maxLength: 8192 },
  { name: 'messages', maxLength: 16_384 },
  { name: 'buffers', maxLength: 2048 },
  { name: 'broker', maxLength: 1024 },
  { name: 'sockets', maxLength: 1024 },
  { name: 'terminal', maxLength: 4096 },
]

/** @returns what to do; ends the process on bad arguments. */
function parseArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '60' },
        jobs: { type: 'string', default: '1' },
        keep: { type: 'boolean', default: false },
      },
    })
    const names = FUZZERS.map(({ name }) => name)
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) {
      throw new Error(`fuzzer: must be one of ${names.join(', ')} (got ${JSON.stringify(unknown)})`)
    }
    return {
      seconds: wholeNumber('--seconds', values.seconds),
      jobs: wholeNumber('--jobs', values.jobs),
      keep: values.keep,
      fuzzers: FUZZERS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

function wholeNumber(option, text) {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new Error(`${option}: must be a whole number from 1 to 999999 (got ${JSON.stringify(text)})`)
}

function skip(reason) {
  console.error(`fuzzing skipped: ${reason}`)
  process.exit(process.env.BASHWARD_MUST_WORK === '1' ? 1 : 0)
}

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Runs one program to its end; ends the process, with its output, when it fails. */
function run(...words) {
  const [program, ...parameters] = words
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (status === 0) return
  const missing = /bashward cannot fuzz: (.+)/.exec(stderr)
  if (missing) skip(missing[1])
  console.error(`${stdout}${stderr}`)
  process.exit(1)
}

const foundBy = (name) => join(build, 'corpus', name)
const keptFor = (name) => join(root, 'test/fuzz/corpus', name)
/** Where inputs go that show a fault. */
const artifacts = (name) => `-artifact_prefix=${build}/${name}-`
const programOf = (name) => join(build, `test/fuzz/bashward-${name}-fuzzer`)

/** The directories that a fuzzer reads beside the one that it writes to. */
const startOf = ({ name, seeds }) =>
  [keptFor(name), ...(seeds === undefined ? [] : [join(root, seeds)])].filter((path) => existsSync(path))

const isSummary = (line) => /^(?:#\d+\s+DONE|Done \d+ runs|stat::)/.test(line)
/** Of a failed run, thousands of lines only say that it went well until then. */
const isTelling = (line) => !/^#\d+\s+(?:NEW|REDUCE|pulse|RELOAD)/.test(line)

/** @returns whether it found nothing wrong */
async function fuzz(fuzzer, { seconds, jobs }) {
  const { name, maxLength, dictionary } = fuzzer
  mkdirSync(foundBy(name), { recursive: true })
  const parameters = [
    foundBy(name),
    ...startOf(fuzzer),
    '-len_control=0',
    `-max_total_time=${seconds}`,
    `-max_len=${maxLength}`,
    '-timeout=20',
    '-print_final_stats=1',
    ...(dictionary === undefined ? [] : [`-dict=${join(root, dictionary)}`]),
    artifacts(name),
  ]
  if (jobs === 1) console.log(`\n${name}:`)
  // Two at a time would mix up their lines.
  const child = spawn(programOf(name), parameters, {
    cwd: root,
    stdio: jobs === 1 ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (jobs > 1) {
    const lines = output.split('\n').filter(status === 0 ? isSummary : isTelling)
    console.log(`\n${name}:\n${lines.join('\n')}`)
  }
  return status === 0
}

/** Makes the kept corpus anew: a few of the inputs, which together reach all the code that the others reach. */
function keep({ name, maxLength, keptLength = maxLength }) {
  const [candidates, merged] = ['candidates', 'merged'].map((step) => join(build, step, name))
  for (const directory of [candidates, merged]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  for (const directory of [keptFor(name), foundBy(name)].filter((path) => existsSync(path))) {
    for (const file of readdirSync(directory)) {
      const path = join(directory, file)
      if (statSync(path).size <= keptLength) copyFileSync(path, join(candidates, file))
    }
  }
  run(
    programOf(name),
    '-set_cover_merge=1',
    '-use_counters=0',
    `-max_len=${maxLength}`,
    artifacts(name),
    merged,
    candidates,
  )
  const files = readdirSync(merged)
  if (files.length === 0) throw new Error(`${name}: no input was kept of ${candidates}`)
  rmSync(keptFor(name), { recursive: true, force: true })
  mkdirSync(dirname(keptFor(name)), { recursive: true })
  renameSync(merged, keptFor(name))
  console.log(`${name}: ${files.length} inputs are kept`)
}

const options = parseArguments()
if (!has('cmake')) skip('CMake is not installed')
const clang = ['19', ''].map((version) => version && `-${version}`).find((suffix) => has(`clang++${suffix}`))
if (clang === undefined) skip('clang is not installed')

run(
  ...['cmake', '-S', '.', '-B', build, ...(has('ninja') ? ['-G', 'Ninja'] : [])],
  ...['-DBASHWARD_FUZZ=ON', '-DCMAKE_BUILD_TYPE=RelWithDebInfo'],
  ...[`-DCMAKE_C_COMPILER=clang${clang}`, `-DCMAKE_CXX_COMPILER=clang++${clang}`],
)
run('cmake', '--build', build, '--parallel', String(os.availableParallelism()))

const waiting = [...options.fuzzers]
let failed = false
const work = async () => {
  for (let fuzzer = waiting.shift(); fuzzer !== undefined && !failed; fuzzer = waiting.shift()) {
    if (!(await fuzz(fuzzer, options))) failed = true
  }
}
await Promise.all(Array.from({ length: options.jobs }, work))
if (failed) process.exit(1)
if (options.keep) for (const fuzzer of options.fuzzers) keep(fuzzer)
