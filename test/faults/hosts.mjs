// Hosts under the fault shim: one for the recording, one for the cases of each system call. When a host dies or hangs,
// another takes the rest.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../../..')

/** Longer than a host gives a single case. */
const SILENCE_MS = 150_000

/** @returns {Promise<{ status: number | null, signal: string | null, stderr: string, silent: boolean }>} how it ended */
const runHost = (shim, calls, instructions, onReport) =>
  new Promise((done, fail) => {
    const temporary = mkdtempSync(join(tmpdir(), 'bashward-faults-'))
    const main = join(root, 'test/faults/host/main.cjs')
    const child = spawn(shim, [calls, process.execPath, main], {
      env: { ...process.env, XDG_STATE_HOME: temporary, TMPDIR: temporary },
      stdio: 'pipe',
    })
    let stderr = ''
    let silent = false
    const end = () => {
      silent = true
      child.kill('SIGTERM')
    }
    let silence = setTimeout(end, SILENCE_MS)
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      clearTimeout(silence)
      silence = setTimeout(end, SILENCE_MS)
      onReport(JSON.parse(line))
    })
    child.once('error', fail)
    child.once('close', (status, signal) => {
      clearTimeout(silence)
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
      done({ status, signal, stderr: stderr.slice(-2000), silent })
    })
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify({ root, temporary, ...instructions }))
  })

/** What each scenario calls when nothing fails, and what it gives then. */
export const record = async (shim, scenarios) => {
  const calls = new Map()
  const baselines = new Map()
  for (const scenario of scenarios) {
    const end = await runHost(shim, 'all', { record: [scenario] }, (report) => {
      if (report.recorded) calls.set(scenario, report.recorded.calls)
      if (report.baseline) baselines.set(scenario, report.baseline.outcome)
    })
    if (!baselines.has(scenario)) throw new Error(`${scenario} without a fault: ${JSON.stringify(end)}`)
  }
  return { calls, baselines }
}

/** Cases that change how their host goes on: each gets a host of its own. */
const needsOwnHost = ({ scenario, role, call, errno }) =>
  scenario === 'cold' ||
  (role === 'launch' && call === 'execveat' && ['EACCES', 'ENOENT', 'ENOSYS', 'EPERM'].includes(errno)) ||
  (call === 'epoll_pwait2' && errno !== 'EINTR')

const batches = (cases) => {
  const groups = new Map()
  for (const [index, one] of cases.entries()) {
    const key = needsOwnHost(one) ? `${one.call} ${index}` : one.call
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/**
 * One batch, in as many hosts as it takes. A host that says nothing although its own deadlines have passed has not run:
 * a machine that stands still does that. Its case is tried once more.
 */
const runBatch = async (shim, batch, onResult) => {
  let rest = batch
  const silentBefore = new Set()
  while (rest.length > 0) {
    let started = -1
    let finished = -1
    let broken
    let leaves = false
    const end = await runHost(shim, batch[0].call, { cases: rest }, (report) => {
      if (report.broken !== undefined) broken = report.broken
      if (report.started !== undefined) started = report.started
      if (report.finished === undefined) return
      finished = report.finished
      leaves = report.outcome.hung === true || report.left !== undefined
      onResult(rest[finished], report)
    })
    if (!leaves && finished < rest.length - 1) {
      if (started <= finished && broken === undefined) throw new Error(`a host: ${JSON.stringify(end)}`)
      const next = Math.max(started, finished + 1)
      if (end.silent && !silentBefore.has(rest[next])) {
        silentBefore.add(rest[next])
        rest = rest.slice(next)
        continue
      }
      onResult(rest[next], { hits: 1, detail: '', died: { ...end, broken } })
      finished = next
    }
    rest = rest.slice(finished + 1)
  }
}

/**
 * Runs all cases.
 *
 * @param {number} jobs hosts at a time
 * @param {(fault: import('./cases.mjs').Fault, result: object) => void} onResult `result.died` when the host did not
 *   survive the case
 */
export const runCases = async (shim, cases, jobs, onResult) => {
  // The longest first, so that no core has to wait for one at the end.
  const waiting = batches(cases).sort((a, b) => b.length - a.length)
  const lane = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      await runBatch(shim, batch, onResult)
    }
  }
  await Promise.all(Array.from({ length: jobs }, lane))
}
