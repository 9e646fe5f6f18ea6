// Killing: the supervisor is asked to do it, and nothing that may live is reported dead.
import { constants } from 'node:os'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { isAlive } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { waitFor } from '../../support/wait-for.js'
import {
  jobsDirectory,
  nobody,
  signalProcess,
  startGroup,
  startSleep,
  startSupervisor,
  stopAll,
  writeExit,
  writeJob,
} from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'

const storeWith = (signal = signalProcess) => {
  const root = jobsDirectory()
  return { root, store: new JobStore({ directory: root }, signal) }
}

/** A job whose supervisor answers SIGUSR1 by `exit`. */
const supervisedJob = async (exit: Parameters<typeof startSupervisor>[1]) => {
  const { root, store } = storeWith()
  const paths = writeJob(root, id)
  const supervisor = await startSupervisor(paths, exit)
  writeJob(root, id, { supervisor })
  return { root, store, supervisor }
}

const killed = { status: 'killed', exitCode: null, signal: 'SIGTERM' } as const

describe('kill', () => {
  test('makes the supervisor end the job, and waits for that', async () => {
    const { store, supervisor } = await supervisedJob(killed)

    expect(await store.kill(id)).toEqual({ status: 'killed' })
    expect(await store.get(id)).toMatchObject({ status: 'killed', signal: 'SIGTERM' })
    await waitFor(() => !isAlive(supervisor.pid), { what: 'the supervisor to end' })
  })

  test('sends SIGUSR1 to the supervisor, wakes it, and signals nobody else', async () => {
    const calls: number[][] = []
    const { root, store } = storeWith((...call) => {
      calls.push(call)
      return constants.errno.EPERM
    })
    const { pid, startTime } = await startSleep()
    writeJob(root, id, { supervisor: { pid, startTime } })

    await store.kill(id)

    const { SIGUSR1, SIGCONT } = constants.signals
    expect(calls).toEqual([
      [pid, startTime, SIGUSR1],
      [pid, startTime, SIGCONT],
    ])
  })

  test('from two hosts at once kills once, and tells both', async () => {
    const { root, store } = await supervisedJob(killed)
    const other = new JobStore({ directory: root }, signalProcess)

    expect(await Promise.all([store.kill(id), other.kill(id), store.kill(id)])).toEqual([
      { status: 'killed' },
      { status: 'killed' },
      { status: 'killed' },
    ])
  })

  test('says that the job ended by itself when it did meanwhile', async () => {
    const { store } = await supervisedJob({ status: 'failed', exitCode: 3 })

    expect(await store.kill(id)).toEqual({
      status: 'not_running',
      error: { code: 'ERR_JOB_NOT_RUNNING', message: 'bash_aaaaaa is not running: failed, exit code 3' },
    })
  })

  test.each([
    [{ status: 'completed' }, 'completed'],
    [{ status: 'failed', exitCode: 7 }, 'failed, exit code 7'],
    [{ status: 'failed', exitCode: null, signal: 'SIGSEGV' }, 'failed, ended by SIGSEGV'],
    [{ status: 'killed', exitCode: null }, 'killed'],
    [{ status: 'timed_out', exitCode: null }, 'timed_out'],
  ] as const)('signals nobody when the job has ended: %j', async (exit, end) => {
    const { root, store } = storeWith(() => {
      throw new Error('a signal was sent')
    })
    writeJob(root, id, { supervisor: await startSleep(), exit })

    expect(await store.kill(id)).toEqual({
      status: 'not_running',
      error: { code: 'ERR_JOB_NOT_RUNNING', message: `bash_aaaaaa is not running: ${end}` },
    })
  })

  test('signals nobody when another process has the supervisor’s pid', async () => {
    const { root, store } = storeWith(() => {
      throw new Error('a signal was sent')
    })
    const { pid, startTime } = await startSleep()
    writeJob(root, id, { supervisor: { pid, startTime: startTime - 1 } })

    expect(await store.kill(id)).toMatchObject({ status: 'not_running' })
    expect(isAlive(pid)).toBe(true)
  })

  test('waits for the last file of a supervisor that has just ended', async () => {
    const { root, store } = storeWith(() => {
      writeExit(paths, killed)
      return constants.errno.ESRCH
    })
    const paths = writeJob(root, id, { supervisor: await startSleep() })

    expect(await store.kill(id)).toEqual({ status: 'killed' })
  })

  test('says why when the supervisor may not be signalled', async () => {
    const { root, store } = storeWith(() => constants.errno.EPERM)
    const { pid, startTime } = await startSleep()
    writeJob(root, id, { supervisor: { pid, startTime } })

    expect(await store.kill(id)).toEqual({
      status: 'error',
      error: {
        code: 'ERR_JOB_NOT_KILLED',
        message: `bash_aaaaaa: signal process ${pid}: EPERM (operation not permitted)`,
      },
    })
  })

  test('says so when the supervisor does not answer in time', async () => {
    const { root, store } = storeWith(() => 0)
    writeJob(root, id, { supervisor: await startSleep(), leader: { pid: 4242, startTime: 1 } })

    expect(await store.kill(id, { timeoutMs: 50 })).toEqual({
      status: 'error',
      error: {
        code: 'ERR_JOB_NOT_KILLED',
        message: 'bash_aaaaaa still runs 0.05s after the signal; try: kill -9 -4242',
      },
    })
  })

  test('says so when the supervisor is killed instead', async () => {
    const { root, store } = storeWith((pid) => {
      process.kill(pid, 'SIGKILL')
      return 0
    })
    writeJob(root, id, { supervisor: await startSleep() })

    expect(await store.kill(id)).toMatchObject({
      status: 'not_running',
      error: { message: 'bash_aaaaaa is not running: lost' },
    })
  })

  test('names the processes that a lost job has left', async () => {
    const { root, store } = storeWith()
    const group = await startGroup()
    writeJob(root, id, { supervisor: nobody, leader: group })

    expect(await store.kill(id)).toEqual({
      status: 'error',
      error: {
        code: 'ERR_JOB_NOT_KILLED',
        message: expect.stringMatching(
          new RegExp(
            `^bash_aaaaaa: its supervisor is gone, processes of its group still run: \\d+, \\d+; to stop them: kill -9 -${group.pid}$`,
          ),
        ),
      },
    })
    expect(isAlive(group.pid)).toBe(true)
  })

  test.each([{ timeoutMs: -1 }, { timeoutMs: 600_001 }, { timeout: 5 }])('refuses %j', async (options) => {
    const { store } = storeWith()

    await expect(store.kill(id, options as object)).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  })
})
