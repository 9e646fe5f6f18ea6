// A host that is stopped (SIGSTOP, Ctrl-Z and fg, a frozen cgroup) while its command ends, and continued after the
// command's time limit: the end came first, and counts. BASHWARD_REPETITIONS sets how often each race is run.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killHosts, startHost } from '../support/host.js'
import { killLeftovers, stateOf, uniqueSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(removeTempDirs)

const repetitions = Number(process.env.BASHWARD_REPETITIONS ?? 3)
// On a loaded machine the shell takes a part of it to begin.
const limitMs = 1500

interface Outcome {
  status: string
  exitCode: number
  output: string
  hasJob: boolean
  after: string
}

const within = (path: string) =>
  waitFor(() => existsSync(path) && readFileSync(path, 'utf8'), {
    what: path,
    deadlineMs: 30_000,
    intervalMs: 2,
  })

/** Lets the command end, and its limit pass, while the host is stopped. */
async function runStopped(options: { engine?: string; left?: string; cancel?: boolean }): Promise<Outcome[]> {
  const { engine = 'native', left = '', cancel = false } = options
  const host = startHost('stopped-host', {
    argument: {
      command: `${left} kept=value; mkfifo go; echo $$ >pid; read -r line <go; echo end; exit 3`,
      ...(cancel ? { cancelAfterMs: limitMs, timeoutMs: 60_000 } : { timeoutMs: limitMs }),
      directory: tempDir(),
      repetitions,
    },
    env: { ...process.env, BASHWARD_ENGINE: engine },
  })
  for (let round = 0; round < repetitions; round += 1) {
    const place = await host.report<string>(`round-${round}`)
    const started = performance.now()
    const pid = Number(await within(join(place, 'pid')))
    host.kill('SIGSTOP')
    await waitFor(() => stateOf(host.pid) === 'T', { what: 'the host to be stopped', intervalMs: 1 })
    writeFileSync(join(place, 'go'), '\n')
    await waitFor(() => [undefined, 'Z', 'X'].includes(stateOf(pid)), {
      what: 'the shell to end',
      intervalMs: 2,
    })
    await waitFor(() => performance.now() - started > limitMs + 100, { what: 'the limit', intervalMs: 5 })
    host.kill('SIGCONT')
  }
  return await host.report<Outcome[]>('result')
}

const ended = { status: 'failed', exitCode: 3, output: 'end\n', after: 'kept: value\n' }
const timeMs = 30_000 + 3_000 * repetitions

describe.each(['native', 'portable'])('on the %s engine', (engine) => {
  test(
    'a command that ended while its host was stopped has not timed out',
    async () => {
      const outcomes = await runStopped({ engine })
      expect(outcomes).toEqual(outcomes.map(() => ({ ...ended, hasJob: false })))
    },
    timeMs,
  )

  test(
    'a command that ended while its host was stopped has not been cancelled',
    async () => {
      const outcomes = await runStopped({ engine, cancel: true })
      expect(outcomes).toEqual(outcomes.map(() => ({ ...ended, hasJob: false })))
    },
    timeMs,
  )
})

test(
  'what a command leaves running becomes a job, although its host was stopped beyond the time limit',
  async () => {
    const outcomes = await runStopped({ left: `sleep ${uniqueSleep()} >/dev/null 2>&1 &` })
    expect(outcomes).toEqual(outcomes.map(() => ({ ...ended, hasJob: true })))
  },
  timeMs,
)
