// Whether a secret that a person types stays out of all that is kept and told: `npm run test:secrets`.
//
//   node test/terminals/terminal/secrets/main.mjs [--runs N] [--only TEXT]...
//
// Real programs are given a secret of their own each. Then it is looked for, as it is and in Base64, in the directory of the
// jobs, in what the API has given, in what this process has printed, and in core files: in one of four runs the supervisor is killed by SIGABRT while it
// knows the secret. What is not installed is left out, and named.
//
// Exit status 1 if a secret was found, a program got none, or a search that has to find something does not.

import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { find, programs, startSshd } from './programs.mjs'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, only: { type: 'string', multiple: true } },
})

const home = mkdtempSync(join(tmpdir(), 'bashward-secrets-'))
process.env.XDG_STATE_HOME = join(home, '.state')
// Where the supervisors would leave theirs.
process.chdir(home)

/** Whether a process that is killed leaves a core file there. */
async function leavesCore() {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--core=unlimited:unlimited'], { stdio: 'ignore' })
  } catch {
    return false
  }
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  child.kill('SIGABRT')
  await once(child, 'exit')
  return readdirSync(home).some((name) => name.startsWith('core'))
}
if (!(await leavesCore())) console.log('not here: core files')
const { JobStore, run } = await import('../../../../dist/index.mjs')
const store = new JobStore()
const events = []
const watching = new AbortController()
const watch = (async () => {
  for await (const event of store.watch({ signal: watching.signal })) events.push(event)
})().catch((error) => error.name === 'AbortError' || error.code === 'ERR_CANCELLED' || Promise.reject(error))

const sshd = await startSshd(join(home, 'ssh'))
const others = { sshd: sshd !== undefined, root: process.getuid() === 0 }
const has = (need) => others[need] ?? find(need) !== undefined
const chosen = programs.filter(({ name }) => values.only?.some((text) => name.includes(text)) ?? true)
const here = chosen.filter(({ needs = [] }) => needs.every(has))
const lacking = chosen.filter((program) => !here.includes(program))

/** Letters and digits, so that no program shows it in another form. */
const makeSecret = () =>
  Array.from({ length: randomInt(8, 40) }, () => 'abcdefghijkmnpqrstuvwxyz23456789'[randomInt(32)]).join('')

const filesOf = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Where it is, in words; empty: nowhere. */
function search(secret, told) {
  const forms = [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]
  const files = filesOf(home).filter((file) => statSync(file).size < 64 * 1024 * 1024)
  const inFiles = files.filter((file) => {
    const bytes = readFileSync(file)
    return forms.some((form) => bytes.includes(form))
  })
  const text = JSON.stringify([told, events])
  return [...inFiles, ...(forms.some((form) => text.includes(form)) ? ['what was told'] : [])]
}

const waitMs = 20_000

/** @param {number} pid which may have ended */
function abort(pid) {
  try {
    process.kill(pid, 'SIGABRT')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** @returns what the API has told */
async function give({ command, seen, most = 3 }, secret, isKilled) {
  const directory = mkdtempSync(join(home, 'run-'))
  writeFileSync(join(directory, 'file'), 'x')
  const env = { set: { HOME: directory, GNUPGHOME: directory, SSH: sshd?.options ?? '' } }
  const started = await run(command, { cwd: directory, env, tty: true })
  const terminal = store.open(started.jobId)
  const told = [started]
  let given = 0
  try {
    while (given < most) {
      const state = await terminal.wait({ timeoutMs: waitMs })
      told.push(state)
      const shown = seen !== undefined && readFileSync(started.outputFile, 'latin1').includes(seen)
      if (state.reason !== 'input' || (state.asksSecret === undefined && !shown)) break
      try {
        await terminal.writeSecret(secret, { prompt: state, seen: shown })
        given++
      } catch (error) {
        told.push(error.message)
        // The prompt was not complete.
        if (error.errno !== 116) throw error
      }
      if (isKilled) abort((await store.get(started.jobId)).record.supervisor.pid)
    }
  } catch (error) {
    told.push(error.message)
    if (error.code !== 'ERR_JOB_NOT_RUNNING') throw error
  } finally {
    terminal.close()
  }
  await store.wait(started.jobId, { timeoutMs: 3_000 }).catch((error) => told.push(error.message))
  await store.kill(started.jobId).catch((error) => told.push(error.message))
  told.push(await store.read(started.jobId), await store.get(started.jobId))
  return { told, given }
}

const runs = Number(values.runs)
const failures = []
let count = 0
let prompts = 0
for (; count < runs && here.length > 0; count++) {
  const program = here[count % here.length]
  const secret = makeSecret()
  const isKilled = Math.floor(count / here.length) % 4 === 3
  const { told, given } = await give(program, secret, isKilled)
    .catch((error) => ({ told: [], given: 0, error }))
    .then((result) => (result.error === undefined ? result : { ...result, told: [String(result.error)] }))
  prompts += given
  const found = search(secret, told)
  if (given === 0) failures.push(`${program.name}: it was not typed: ${JSON.stringify(told).slice(-400)}`)
  if (found.length > 0) failures.push(`${program.name}: found in ${found.join(', ')}`)
  const marked = JSON.stringify(told).includes('[secret]')
  if (program.shows && !isKilled && given > 0 && !marked)
    failures.push(`${program.name}: no mark was put in its place`)
}
for (const failure of failures) console.log(`BAD ${failure}`)

// The search, where it has to find something: what is typed as any text is echoed.
const secret = makeSecret()
const control = await run('read -p "Name: " x', { cwd: home, tty: true })
const terminal = store.open(control.jobId)
await terminal.wait({ timeoutMs: waitMs })
await terminal.write(secret)
await store.wait(control.jobId)
terminal.close()
const isFound = search(secret, []).length > 0
if (!isFound) console.log('BAD the search finds nothing where it has to')

watching.abort()
await watch
sshd?.stop()
rmSync(home, { recursive: true, force: true, maxRetries: 3 })
if (lacking.length > 0) console.log(`not here: ${lacking.map(({ name }) => name).join(', ')}`)
const found = failures.filter((failure) => failure.includes('found in'))
console.log(`${count} runs of ${here.length} programs, ${prompts} prompts: ${found.length} secrets found`)
process.exitCode = failures.length > 0 || !isFound ? 1 : 0
