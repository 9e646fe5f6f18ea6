// Records whose numbers count in another PID namespace, or that do not say in which: nothing gets a signal.

import { pidNamespace } from '../../../lib/base/util/process-identity.js'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { isAlive } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { jobsDirectory, nobody, startGroup, startSleep, stopAll, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'
const elsewhere = (pidNamespace() ?? 0) + 1
const dayMs = 24 * 60 * 60 * 1000

const store = (root: string, options = {}) =>
  new JobStore({ directory: root, ...options }, () => {
    throw new Error('a signal was sent')
  })

test('pidNamespace is the number in /proc/self/ns/pid', () => {
  expect(pidNamespace()).toBeGreaterThan(0)
})

describe('a job of another PID namespace, where a process has its numbers here', () => {
  test('is not said to have ended, is not killed and not removed', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    writeJob(root, id, { supervisor, pidNamespace: elsewhere })

    const problem = expect.stringContaining('not known here')
    expect(await store(root).get(id)).toMatchObject({ status: 'running', problem })
    expect(await store(root).kill(id)).toEqual({
      status: 'error',
      error: { code: 'ERR_JOB_NOT_KILLED', message: expect.stringContaining('another PID namespace') },
    })
    expect(await store(root, { maxJobs: 0, maxAgeMs: 0 }).cleanUp()).toEqual([])
    expect(isAlive(supervisor.pid)).toBe(true)
  })

  test('is what its exit.json says', async () => {
    const root = jobsDirectory()
    writeJob(root, id, { pidNamespace: elsewhere, exit: { status: 'failed', exitCode: 3 } })

    expect(await store(root).get(id)).toMatchObject({ status: 'failed', exitCode: 3 })
  })

  test('is lost after its time limit', async () => {
    const root = jobsDirectory()
    const limits = { createdAt: Date.now() - dayMs, timeoutMs: dayMs / 2 }
    writeJob(root, id, { pidNamespace: elsewhere, ...limits })

    expect(await store(root).get(id)).toMatchObject({ status: 'lost' })
  })

  test('is lost when its boot has ended', async () => {
    const root = jobsDirectory()
    writeJob(root, id, { pidNamespace: elsewhere, bootId: '00000000-0000-0000-0000-000000000000' })

    expect(await store(root).get(id)).toMatchObject({ status: 'lost' })
  })

  test('has left no processes here that anybody would be told to kill', async () => {
    const root = jobsDirectory()
    const leader = await startGroup()
    writeJob(root, id, { supervisor: nobody, leader, pidNamespace: elsewhere, createdAt: 0 })

    expect(await store(root).kill(id)).toMatchObject({ status: 'not_running' })
  })
})

describe('a record that does not say in which PID namespace', () => {
  test('is believed where a process has its numbers, which gets no signal unless it is a supervisor', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    writeJob(root, id, { supervisor, pidNamespace: null })

    expect(await store(root).get(id)).toMatchObject({ status: 'running' })
    expect(await store(root).kill(id)).toEqual({
      status: 'error',
      error: { code: 'ERR_JOB_NOT_KILLED', message: expect.stringContaining(`${supervisor.pid}`) },
    })
    expect(isAlive(supervisor.pid)).toBe(true)
  })
})
