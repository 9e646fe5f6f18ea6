// Waiting for jobs that are not children of this process.
import { getEventListeners } from 'node:events'
import { rmSync } from 'node:fs'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { jobsDirectory, startSleep, startSupervisor, stopAll, writeExit, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'

const runningJob = async () => {
  const root = jobsDirectory()
  const supervisor = await startSleep()
  const paths = writeJob(root, id, { supervisor })
  return { paths, supervisor, root, store: new JobStore({ directory: root }) }
}

describe('wait', () => {
  test('gives an ended job at once', async () => {
    const root = jobsDirectory()
    writeJob(root, id, { exit: { status: 'timed_out' } })

    expect(await new JobStore({ directory: root }).wait(id)).toMatchObject({ status: 'timed_out' })
  })

  test('ends when exit.json is written', async () => {
    const { store, paths } = await runningJob()
    const waiting = store.wait(id)
    setTimeout(() => writeExit(paths, { status: 'failed', exitCode: 7 }), 50)

    expect(await waiting).toMatchObject({ status: 'failed', exitCode: 7 })
  })

  test('ends when the job becomes lost', async () => {
    const { store, supervisor } = await runningJob()
    const waiting = store.wait(id)
    await supervisor.stop()

    expect(await waiting).toMatchObject({ status: 'lost' })
  })

  test('gives what a supervisor wrote just before it ended, never lost', async () => {
    const root = jobsDirectory()
    const store = new JobStore({ directory: root })
    for (let i = 0; i < 5; i++) {
      const paths = writeJob(root, id)
      const supervisor = await startSupervisor(paths, { status: 'completed' })
      writeJob(root, id, { supervisor })
      const waiting = store.wait(id)
      process.kill(supervisor.pid, 'SIGUSR1')

      expect(await waiting).toMatchObject({ status: 'completed' })
      rmSync(paths.exit)
    }
  })

  test('serves several stores and several callers', async () => {
    const { store, root, paths } = await runningJob()
    const other = new JobStore({ directory: root })
    const waiting = Promise.all([store.wait(id), store.wait(id), other.wait(id)])
    writeExit(paths, {})

    expect((await waiting).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  })

  test('gives the job as it is when the time is up', async () => {
    const { store } = await runningJob()

    expect(await store.wait(id, { timeoutMs: 0 })).toMatchObject({ status: 'running' })
    expect(await store.wait(id, { timeoutMs: 30 })).toMatchObject({ status: 'running' })
  })

  test('rejects with the reason when it is aborted', async () => {
    const { store } = await runningJob()
    const controller = new AbortController()
    const reason = new Error('enough')
    const waiting = store.wait(id, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)

    await expect(waiting).rejects.toBe(reason)
    await expect(store.wait(id, { signal: controller.signal })).rejects.toBe(reason)
  })

  test('listens to a signal once, however many wait with it', async () => {
    const { store } = await runningJob()
    const controller = new AbortController()
    const { signal } = controller
    const waiting = Array.from({ length: 20 }, () => store.wait(id, { signal }))
    await store.wait(id, { timeoutMs: 30, signal })

    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    await Promise.allSettled(waiting)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('rejects when the job is removed', async () => {
    const { store, paths, supervisor } = await runningJob()
    const waiting = expect(store.wait(id)).rejects.toMatchObject({ code: 'ERR_JOB_NOT_FOUND' })
    rmSync(paths.directory, { recursive: true })
    await supervisor.stop()

    await waiting
  })

  test('leaves the processor alone', async () => {
    const { store } = await runningJob()
    const before = process.cpuUsage()
    await Promise.all(Array.from({ length: 20 }, () => store.wait(id, { timeoutMs: 1000 })))
    const { user, system } = process.cpuUsage(before)

    // A busy loop would use the whole second.
    expect(user + system).toBeLessThan(700_000)
  })

  test.each([
    { timeoutMs: -1 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 2 ** 31 },
    { signal: {} },
    { timeout: 1 },
  ])('refuses %j', async (options) => {
    const { store } = await runningJob()

    await expect(store.wait(id, options as object)).rejects.toMatchObject({ code: 'ERR_INVALID_INPUT' })
  })
})
