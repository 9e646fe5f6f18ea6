// npm run test:sanitized: the tests that use the addon, with addon and supervisor under AddressSanitizer, LeakSanitizer
// and UndefinedBehaviorSanitizer. Words behind -- choose among them, as with jest.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  build,
  configure,
  explain,
  Failed,
  Missing,
  requireCMake,
  root,
} from '../../scripts/native-presets.mjs'
import { failedControls } from './controls.mjs'
import { makeLauncher } from './launcher.mjs'
import { takeReports } from './reports.mjs'

const PRESET = 'asan'
const built = join(root, 'build/native-asan/test/native')
const addon = join(built, 'sanitized/bashward.node')
const jest = [join(root, 'node_modules/jest/bin/jest.js'), '-c', 'jest.sanitized.config.js']

/** Test files to one process: it keeps what they have loaded. */
const FILES = 20

function buildAll() {
  requireCMake()
  configure(PRESET)
  build(PRESET, ['bashward-addon-sanitized', 'bashward-faulty-addon', 'bashward-supervisor-sanitized'])
}

/** The library that Node has to load first: gcc's. That of clang is linked into programs. */
function findRuntime() {
  const { stdout } = spawnSync('ldd', [addon], { encoding: 'utf8' })
  const [, path] = /asan\S* => (\/\S+)/.exec(stdout) ?? []
  if (path === undefined) throw new Missing(`the addon needs no shared library of AddressSanitizer (CXX=g++)`)
  return path
}

function listTests(words) {
  const list = execFileSync(process.execPath, [...jest, '--listTests', ...words], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = list.split('\n').filter((line) => line !== '')
  if (files.length === 0) throw new Failed(`no test of jest.sanitized.config.js: ${words.join(' ')}`)
  return files.sort()
}

/** Every n-th file goes to one group: neighbours take about as long. */
function inGroups(files) {
  const count = Math.max(Math.ceil(files.length / FILES), Math.min(files.length, availableParallelism()))
  return Array.from({ length: count }, (_, n) => files.filter((_file, index) => index % count === n))
}

/**
 * Runs test files in one process, which ends by itself: the leaks are looked for then.
 *
 * @returns {Promise<{ ok: boolean, passed: number, total: number, text: string }>}
 */
async function runGroup({ node }, files, results) {
  const child = spawn(
    node,
    [...jest, '--runInBand', '--json', `--outputFile=${results}`, '--runTestsByPath', ...files],
    {
      cwd: root,
      env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const [code, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...end) => resolve(end))
  })
  if (!existsSync(results)) {
    return {
      ok: false,
      passed: 0,
      total: 0,
      text: `${text}\nthe tests ended with ${signal ?? `code ${code}`}`,
    }
  }
  // Not by its exit code: that also reports leaks, which may be Node's.
  const { success, numPassedTests, numTotalTests } = JSON.parse(readFileSync(results, 'utf8'))
  const ok = success && signal === null
  // Always prints what was not run.
  const notes = text.split('\n').filter((line) => /^not (run|tested) /.test(line))
  return { ok, passed: numPassedTests, total: numTotalTests, text: ok ? notes.join('\n') : text }
}

async function runAll(launcher, files) {
  const results = mkdtempSync(join(tmpdir(), 'bashward-results-'))
  const groups = inGroups(files)
  const done = []
  const work = async () => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const outcome = await runGroup(launcher, group, join(results, `${groups.length}.json`))
      if (outcome.text !== '') console.log(outcome.text)
      done.push(outcome)
    }
  }
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work))
    return done
  } finally {
    rmSync(results, { recursive: true, force: true })
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

async function main(words) {
  buildAll()
  const launcher = makeLauncher({
    addon,
    supervisor: join(built, 'bashward-supervisor-sanitized'),
    runtime: findRuntime(),
  })
  try {
    const controls = failedControls(launcher, join(built, 'sanitized/faulty.node'))
    if (controls.length > 0) throw new Failed(`not reported, and should be:\n${controls.join('\n')}`)
    const started = performance.now()
    const files = listTests(words)
    const outcomes = await runAll(launcher, files)
    const reports = takeReports(launcher.reports)
    for (const { name, text } of reports) console.log(`\n${name}:\n${text}`)
    const [passed, total] = ['passed', 'total'].map((field) => sum(outcomes.map((outcome) => outcome[field])))
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `sanitized: ${passed} of ${total} tests in ${files.length} files passed in ${seconds} s, ${reports.length} reports`,
    )
    return outcomes.every(({ ok }) => ok) && reports.length === 0 ? 0 : 1
  } finally {
    launcher.remove()
  }
}

main(process.argv.slice(2))
  .catch((error) => explain(error, 'sanitized tests'))
  .then((status) => {
    process.exitCode = status
  })
