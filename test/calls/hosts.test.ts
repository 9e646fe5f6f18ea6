// Several hosts of one ledger; hosts that are killed; clocks, PID namespaces, full disks.
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BashResult, CallStatus } from '../../lib/index.js'
import { isRoot } from '../support/as-user.js'
import { killHosts, runHost, startHost } from '../support/host.js'
import { cannotTest } from '../support/must-work.js'
import { pidNamespacePrefix } from '../support/pid-namespace.js'
import { isAlive, killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
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

test('two hosts that send the same calls at once run each of them once, and answer the same', async () => {
  const directory = tempDir()
  const ids = Array.from({ length: 20 }, (_, index) => `c${index}`)
  const calls = ids.map((id) => ({ id, command: noting(directory, id, 'echo $RANDOM') }))
  const send = async () => await runHost<BashResult[]>('calls', { argument: { directory, calls } })
  const [one, two] = await Promise.all([send(), send()])

  expect(one.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
  expect(one.map(({ output }) => output)).toEqual(two.map(({ output }) => output))
  expect(ids.map((id) => runsOf(directory, id))).toEqual(ids.map(() => 1))
})

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
      error: { code: 'ERR_WORKER_LOST', message: expect.stringContaining('It has run in part') },
      replayed: true,
    })
    expect(status).toMatchObject({ status: 'result' })
    expect(runs).toBe(1)
  })

  test('with its supervisor: the outcome is not known, and it does not run again', async () => {
    const { again, status, runs } = await killedHost(async (host) => {
      // First the host is stopped: it would tell of the supervisor's end.
      process.kill(host, 'SIGSTOP')
      const children = readdirSync(`/proc/${host}/task`).flatMap((task) =>
        readFileSync(`/proc/${host}/task/${task}/children`, 'utf8').split(' '),
      )
      const supervisors = children.filter((pid) => Number(pid) > 1).map(Number)
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

test('a clock that is 8 days ahead makes nobody forget a call of this boot', async () => {
  const directory = tempDir()
  const calls = [{ id: 'a', command: noting(directory, 'a', 'echo out') }]
  const [first] = await runHost<BashResult[]>('calls', { argument: { directory, calls } })
  const aheadMs = 8 * 24 * 60 * 60 * 1000
  const later = await runHost<unknown[]>('calls', { argument: { directory, calls, aheadMs } })

  expect(first).toMatchObject({ status: 'completed', output: 'out\n' })
  expect(later).toEqual([expect.objectContaining({ output: 'out\n', replayed: true }), 0])
  expect(runsOf(directory, 'a')).toBe(1)
})

describe('cleanUp()', () => {
  const marks = ({ ledger }: LedgerCalls) => readdirSync(ledger.directory).sort()

  /** As if the call were so old, of an earlier boot. */
  const age = (calls: LedgerCalls, days: number) => {
    for (const name of marks(calls).filter((name) => !name.includes('.'))) {
      const path = join(calls.ledger.directory, name)
      const text = readFileSync(path, 'latin1')
      const record = JSON.parse(text.slice(0, 512))
      const old = { ...record, bootId: 'another', createdAt: Date.now() - days * 24 * 60 * 60 * 1000 }
      writeFileSync(path, `${JSON.stringify(old).padEnd(511)}\n${text.slice(512)}`, 'latin1')
    }
  }

  test('forgets calls that are older than 7 days, with their results', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'echo out')
    age(calls, 6)
    expect(await calls.ledger.cleanUp()).toBe(0)
    age(calls, 8)
    expect(await calls.ledger.cleanUp()).toBe(1)
    expect(marks(calls)).toEqual([])
  })

  test('forgets no call that runs', async () => {
    const calls = new LedgerCalls()
    const running = calls.send('a', `until [ -e ${calls.directory}/go ]; do sleep 0.02; done`)
    await waitFor(() => calls.runs('a'), { what: 'the command to run' })
    age(calls, 8)
    expect(await calls.ledger.cleanUp()).toBe(0)
    writeFileSync(join(calls.directory, 'go'), '')
    await running
    expect(await calls.ledger.cleanUp()).toBe(1)
  })

  test('takes the oldest output beyond 256 MiB, and no outcome', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'exit 3')
    const { directory } = calls.ledger
    const [mark = ''] = marks(calls)
    // Sparse files, one of them younger.
    for (const name of ['f'.repeat(64), mark]) {
      spawnSync('truncate', ['-s', '200M', join(directory, `${name}.result`)])
    }
    spawnSync('touch', ['-d', '2 days ago', join(directory, `${mark}.result`)])
    await calls.ledger.cleanUp()

    expect(marks(calls)).toEqual([mark, `${'f'.repeat(64)}.result`].sort())
    expect(await calls.send('a', 'exit 3')).toMatchObject({ exitCode: 3, outputLost: true, replayed: true })
  })

  test('of a ledger that was never used does nothing', async () => {
    expect(await new LedgerCalls().ledger.cleanUp()).toBe(0)
  })
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

describe('on a full disk', () => {
  const size = 1024 * 1024
  const onSmallDisk = (mount: string): string[] => {
    const script = `mount -t tmpfs -o size=${size},mode=0700 none "$0" && exec "$@"`
    const user = isRoot ? [] : ['--user', '--map-root-user']
    return ['unshare', ...user, '--mount', '--propagation', 'private', 'sh', '-c', script, mount]
  }

  const onDisk = async (argument: object): Promise<BashResult[] | undefined> => {
    const mount = tempDir()
    const [program = '', ...args] = onSmallDisk(mount)
    if (spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status !== 0) {
      cannotTest('a file system can only be mounted by root or in a user namespace')
      return undefined
    }
    const options = { argument: { ...argument, directory: mount }, prefix: onSmallDisk(mount) }
    return await runHost<BashResult[]>('calls', options)
  }

  test('a call does not start, and its id is not used up', async () => {
    const outside = tempDir()
    const call = (id: string, more = {}) => ({ id, command: noting(outside, id, 'echo out'), ...more })
    const results = await onDisk({
      calls: [call('first'), call('a', { full: true }), call('a', { free: true })],
    })
    if (results === undefined) return
    const [first, refused, last] = results

    expect(first).toMatchObject({ status: 'completed' })
    expect(refused).toMatchObject({
      status: 'error',
      error: {
        code: 'ERR_NOT_STARTED',
        message: expect.stringMatching(/nothing of it has run: make call mark: ENOSPC/),
      },
    })
    expect(last).toMatchObject({ status: 'completed', output: 'out\n' })
    expect(last?.replayed).toBeUndefined()
    expect(runsOf(outside, 'a')).toBe(1)
  })

  test('that a command has filled, how it ended is known', async () => {
    const results = await onDisk({
      calls: [
        { id: 'a', command: 'cat /dev/zero > "$DISK/big" 2>/dev/null; exit 3' },
        { id: 'a', command: 'cat /dev/zero > "$DISK/big" 2>/dev/null; exit 3' },
      ],
    })
    if (results === undefined) return
    const [first, again] = results

    expect(first).toMatchObject({ status: 'failed', exitCode: 3 })
    expect(again).toMatchObject({ status: 'failed', exitCode: 3, replayed: true })
  })
})
