// Whether programs that wait for input are found, and no others: `npm run test:programs`.
//
//   node test/terminals/terminal/programs/main.mjs [--only TEXT]... [--sandbox restricted|workspace] [--at-once N] [--json FILE]
//
// What is not installed is left out, and named. Some need more: BASHWARD_TEST_PASSWORD, the password of this user, with
// which sudo works; BASHWARD_TEST_SSH, what ssh is to be given to come to a shell without a password
// (`-p 2222 user@localhost`); BASHWARD_TEST_POSTGRES=1, a server that this user may use.
//
// Beside it is told what the rules of others (rules.mjs) say of the same output and the same screen, at the same moment.
//
// Exit status 1 if a wait was missed or a program that does not wait was taken for one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { busy } from './busy.mjs'
import { fill, has, silentServer, variables } from './place.mjs'
import { rules } from './rules.mjs'
import { waiting } from './waiting.mjs'

const waitMs = 10_000
const busyMs = 3_500
const certain = new Set(['line', 'keys', 'password', 'stopped'])

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sandbox: { type: 'string', default: 'unrestricted' },
    'at-once': { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})

const home = mkdtempSync(join(tmpdir(), 'bashward-programs-'))
process.env.XDG_STATE_HOME = join(home, '.state')
const { JobStore, run } = await import('../../../../dist/index.mjs')
const store = new JobStore()
const directory = join(home, 'work')
mkdirSync(directory)
fill(directory)
const env = { set: variables(home, await silentServer()) }

/** @param {string} output @param {import('../../../../dist/index.mjs').ScreenAnswer} screen */
const othersSay = (output, screen) => {
  if ('unavailable' in screen) throw new Error(screen.unavailable)
  const { row, column } = screen.cursor
  const line = (screen.lines[row - 1] ?? '').padEnd(column - 1)
  return Object.keys(rules).filter((name) => rules[name](output, line))
}

/** @param {import('./waiting.mjs').Program} program @param {number} timeoutMs */
const look = async ({ command, before = [] }, timeoutMs) => {
  const { jobId, outputFile } = await run(command, {
    cwd: directory,
    env,
    tty: true,
    sandbox: values.sandbox,
  })
  const terminal = store.open(jobId)
  try {
    for (const text of before) {
      await terminal.wait({ timeoutMs: waitMs })
      await terminal.write(text)
    }
    const state = await terminal.wait({ timeoutMs })
    const output = readFileSync(outputFile, 'utf8')
    return { ...state, output, others: othersSay(output, await terminal.screen()) }
  } catch (error) {
    const reason = error.code === 'ERR_JOB_NOT_RUNNING' ? 'ended' : 'failed'
    return {
      reason,
      verdict: error.message,
      quietMs: 0,
      output: readFileSync(outputFile, 'utf8'),
      others: [],
    }
  } finally {
    terminal.close()
    await store.kill(jobId)
  }
}

const chosen = ({ name }) => values.only?.some((text) => name.includes(text)) ?? true
const programs = [
  ...waiting.filter(chosen).map((program) => ({ ...program, waits: true })),
  ...busy.filter(chosen).map((program) => ({ ...program, waits: false })),
]
const lacking = programs.filter(({ needs = [] }) => !needs.every(has))
const queue = programs.filter((program) => !lacking.includes(program))
const results = []

const work = async () => {
  for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
    const { name, waits } = program
    const result = await look(program, waits ? waitMs : busyMs)
    const isRight = (result.reason === 'input') === waits
    const isRefused = waits && values.sandbox !== 'unrestricted' && result.reason === 'ended'
    results.push({ name, waits, isRight, isRefused, ...result })
    const { reason, verdict, program: who = '', likely, quietMs, nested } = result
    const details = `${likely ? 'likely ' : ''}${nested ? 'nested ' : ''}${who}`
    console.log(
      `${isRight ? 'ok ' : isRefused ? '-  ' : 'BAD'} ${name.padEnd(36)} ${reason.padEnd(9)} ${verdict.padEnd(9)} ${String(quietMs).padStart(5)} ms  ${details}`,
    )
    if (!isRight && !isRefused) console.log(`    ${JSON.stringify(result.output.slice(-300))}`)
  }
}

await Promise.all(Array.from({ length: Number(values['at-once']) }, work))
rmSync(home, { recursive: true, force: true, maxRetries: 3 })

// In a sandbox some cannot do what they begin with, and end.
const refused = results.filter(({ isRefused }) => isRefused)
const of = (waits) => results.filter((result) => result.waits === waits && !refused.includes(result))
const found = of(true).filter(({ isRight }) => isRight)
const alarms = of(false).filter(({ isRight }) => !isRight)
// Of one that has printed nothing it is the time that it takes to start.
const times = found
  .filter(({ verdict, offset }) => certain.has(verdict) && offset > 0)
  .map(({ quietMs }) => quietMs)
  .sort((a, b) => a - b)
const share = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]
if (refused.length > 0) console.log(`refused by the sandbox: ${refused.map(({ name }) => name).join(', ')}`)
if (lacking.length > 0) console.log(`not here: ${lacking.map(({ name }) => name).join(', ')}`)
console.log(
  `waits found: ${found.length} of ${of(true).length}; false alarms: ${alarms.length} of ${of(false).length}`,
)
for (const name of Object.keys(rules)) {
  const said = (waits) => of(waits).filter(({ others }) => others.includes(name)).length
  console.log(`${name}: ${said(true)} of ${of(true).length}; ${said(false)} of ${of(false).length}`)
}
console.log(
  `certain verdicts: p50 ${share(0.5)} ms, p90 ${share(0.9)} ms, max ${times.at(-1)} ms after the last output`,
)
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 1))
process.exitCode = found.length < of(true).length || alarms.length > 0 ? 1 : 0
