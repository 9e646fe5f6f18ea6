// What is not read: bad options, files that are none of a job's.
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import type { ReadJobOptions } from '../../../lib/commands/jobs/read.js'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { asOrdinaryUser, ordinaryOwner } from '../../support/as-user.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { jobsDirectory, stopAll, writeJob } from './job-files.js'
import { id, jobWith } from './readable-job.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

describe('what is refused', () => {
  test.each([
    [{ offset: -1 }, 'options.offset'],
    [{ offset: 1.5 }, 'options.offset'],
    [{ offset: '7' }, 'options.offset'],
    [{ maxBytes: 3 }, 'options.maxBytes'],
    [{ maxChars: 1 }, 'options.maxChars'],
    [{ maxChars: 10_000_001 }, 'options.maxChars'],
    [{ filterTimeoutMs: 0 }, 'options.filterTimeoutMs'],
    [{ normalizeOutput: 'yes' }, 'options.normalizeOutput'],
    [{ signal: 7 }, 'options.signal'],
    [{ ofset: 1 }, 'options.ofset: unknown field'],
    [7, 'options: must be an object'],
  ])('%j', async (options, message) => {
    const { read } = jobWith({ exit: {} })

    await expect(read(options as ReadJobOptions)).rejects.toMatchObject({
      code: 'ERR_INVALID_INPUT',
      message: expect.stringContaining(message),
    })
  })

  test('an output that is a link, a FIFO or a directory', async () => {
    const { read, paths } = jobWith({ exit: {} })
    rmSync(paths.output)
    symlinkSync('/etc/passwd', paths.output)
    await expect(read()).rejects.toMatchObject({
      code: 'ERR_JOB_DIRECTORY',
      step: 'open',
      path: paths.output,
    })
    rmSync(paths.output)
    mkdirSync(paths.output)
    await expect(read()).rejects.toMatchObject({ code: 'ERR_JOB_DIRECTORY', step: 'read' })
  })

  test('an output that is not there', async () => {
    const { read, paths } = jobWith({ exit: {} })
    rmSync(paths.output)

    await expect(read()).rejects.toMatchObject({
      code: 'ERR_JOB_DIRECTORY',
      step: 'open',
      errno: constants.errno.ENOENT,
      path: paths.output,
    })
  })

  test('an output that this user may not read', async () => {
    const root = jobsDirectory(ordinaryOwner)

    await asOrdinaryUser(async () => {
      const { output } = writeJob(root, id, { exit: {}, output: 'secret' })
      chmodSync(output, 0)
      await expect(new JobStore({ directory: root }).read(id)).rejects.toMatchObject({
        code: 'ERR_JOB_DIRECTORY',
        step: 'open',
        errno: constants.errno.EACCES,
        path: output,
      })
    })
  })

  test('a read that is aborted already', async () => {
    const { read } = jobWith({ exit: {} })
    const reason = new Error('enough')

    await expect(read({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('no descriptor stays open after any of this', async () => {
    const { read, paths } = jobWith({ output: 'x', exit: {} })
    await read()
    const before = readdirSync('/proc/self/fd').length
    for (let i = 0; i < 20; i++) await read({ filter: 'x' })
    rmSync(paths.output)
    mkdirSync(paths.output)
    for (let i = 0; i < 20; i++) await read().catch(() => {})

    expect(readdirSync('/proc/self/fd').length).toBe(before)
  })
})
