// Calls that several hosts send, in one PID namespace and in two, and hosts that are killed meanwhile.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult, CallStatus } from '../../../lib/index.js'
import { killHosts, runHost, startHost } from '../../support/host.js'
import { pidNamespacePrefix } from '../../support/pid-namespace.js'
import {
  isAlive,
  killLeftovers,
  processesWith,
  stateOf,
  uniqueSleep,
  waitForSleep,
} from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(killHosts)
afterEach(killLeftovers)
afterEach(removeTempDirs)

const runsOf = (directory: string, id: string): number => {
  try {
    return readFileSync(join(directory, 'runs'), 'utf8')
      .split('\n')
      .filter((line) => line === id).length
  } catch {
    return 0
  }
}

const noting = (directory: string, id: string, command: string) =>
  `echo ${id} >> ${directory}/runs; ${command}`

test.each([
  ['of one PID namespace', false],
  ['of two PID namespaces', true],
])('two hosts %s that send the same calls at once run each once, and answer the same', async (_, apart) => {
  const prefix = apart ? pidNamespacePrefix('own') : []
  if (prefix === undefined) return
  const directory = tempDir()
  chmodSync(directory, 0o777)
  const ids = Array.from({ length: 20 }, (_, index) => `c${index}`)
  const calls = ids.map((id) => ({ id, command: noting(directory, id, 'echo $RANDOM') }))
  // Where an ordinary user needs a user namespace for another PID namespace, both have one: the directory is theirs.
  const send = async () => await runHost<BashResult[]>('calls', { argument: { directory, calls }, prefix })
  const [one, two] = await Promise.all([send(), send()])

  expect(one.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
  expect(one.map(({ output }) => output)).toEqual(two.map(({ output }) => output))
  expect(ids.map((id) => runsOf(directory, id))).toEqual(ids.map(() => 1))
})

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .map(Number)
    .filter((child) => child > 1)

describe('a host that is killed', () => {
  const killedHost = async (end: (host: number, marker: string) => Promise<void>) => {
    const directory = tempDir()
    const marker = uniqueSleep()
    const calls = [{ id: 'a', command: noting(directory, 'a', `sleep ${marker}`) }]
    const host = startHost('calls', { argument: { directory, calls } })
    await waitForSleep(marker)
    await end(host.pid, marker)
    host.kill('SIGKILL')
    await host.exited()
    await waitFor(() => processesWith(marker).length === 0, { what: 'the command to end' })
    const [again] = await runHost<BashResult[]>('calls', { argument: { directory, calls } })
    const [status] = await runHost<CallStatus[]>('calls', { argument: { directory, calls, status: true } })
    return { again, status, runs: runsOf(directory, 'a') }
  }

  test('has its command killed with it: it is told that it ran in part, and it does not run again', async () => {
    const { again, status, runs } = await killedHost(async () => {})

    expect(again).toMatchObject({
      status: 'error',
      error: { code: 'ERR_WORKER_LOST', message: expect.stringContaining('It has run, in part or whole') },
      replayed: true,
    })
    expect(status).toMatchObject({ status: 'result' })
    expect(runs).toBe(1)
  })

  test('with its supervisor: the outcome is not known, and it does not run again', async () => {
    const { again, status, runs } = await killedHost(async (host) => {
      // First the host is stopped: it would tell of the supervisor's end.
      process.kill(host, 'SIGSTOP')
      const supervisors = childrenOf(host)
      for (const pid of supervisors) process.kill(pid, 'SIGKILL')
      await waitFor(() => supervisors.every((pid) => !isAlive(pid)), { what: 'the supervisor to end' })
    })

    expect(again).toMatchObject({
      status: 'error',
      error: { code: 'ERR_WORKER_LOST', message: expect.stringContaining('not known what became') },
    })
    expect(status).toEqual({ status: 'unknown' })
    expect(runs).toBe(1)
  })

  test('just when its command has ended by itself, leaves how that ended', async () => {
    const directory = tempDir()
    const command = noting(directory, 'a', `until [ -e ${directory}/go ]; do sleep 0.02; done; exit 3`)
    const calls = [{ id: 'a', command }]
    const host = startHost('calls', { argument: { directory, calls } })
    await waitFor(() => runsOf(directory, 'a'), { what: 'the command to run' })
    const [supervisor = 0] = childrenOf(host.pid)
    const [shell = 0] = childrenOf(supervisor)
    expect(Math.min(supervisor, shell)).toBeGreaterThan(1)
    // The supervisor goes on when its host ends, and finds both at once.
    for (const pid of [host.pid, supervisor]) {
      process.kill(pid, 'SIGSTOP')
      await waitFor(() => stateOf(pid) === 'T', { what: `process ${pid} to stop` })
    }
    writeFileSync(join(directory, 'go'), '')
    await waitFor(() => !isAlive(shell), { what: 'the shell to end' })
    host.kill('SIGKILL')
    await host.exited()
    await waitFor(() => !isAlive(supervisor), { what: 'the supervisor to end' })
    const [again] = await runHost<BashResult[]>('calls', { argument: { directory, calls } })

    expect(again).toMatchObject({ status: 'failed', exitCode: 3, outputLost: true, replayed: true })
    expect(runsOf(directory, 'a')).toBe(1)
  })

  test('after its command has ended, leaves how that ended', async () => {
    const calls = new LedgerCalls({ beforeResult: () => new Promise(() => {}) })
    void calls.send('a', 'exit 3')
    const { directory } = calls.ledger
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    // This host does not go on: another one is told after a while what the mark says.
    const other = new LedgerCalls({ directory })
    const attached = await other.ledger.attach({ callId: 'a' })

    expect(attached).toMatchObject({ status: 'failed', exitCode: 3, outputLost: true, replayed: true })
  }, 60_000)
})

test.each(['own', 'foreign'] as const)(
  'a call of a PID namespace, with %s /proc, is known to run from here, and to have ended',
  async (proc) => {
    const prefix = pidNamespacePrefix(proc)
    if (prefix === undefined) return
    const calls = new LedgerCalls()
    const { directory } = calls
    chmodSync(directory, 0o777)
    const command = noting(directory, 'a', `until [ -e ${directory}/go ]; do sleep 0.02; done; echo out`)
    const host = startHost('calls', { argument: { directory, calls: [{ id: 'a', command }] }, prefix })
    await waitFor(() => runsOf(directory, 'a'), { what: 'the command to run' })

    expect(await calls.ledger.status({ callId: 'a' })).toEqual({ status: 'started' })
    const attached = calls.ledger.attach({ callId: 'a' })
    writeFileSync(join(directory, 'go'), '')
    const [result] = await host.report<BashResult[]>('result')
    expect(result).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(await attached).toMatchObject({ status: 'completed', output: 'out\n', replayed: true })
    expect(runsOf(directory, 'a')).toBe(1)
  },
)
