// Removes the files of old jobs, and nothing else.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { asOrdinaryUser, ordinaryOwner } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { jobsDirectory, startSleep, stopAll, writeJob } from './job-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const dayMs = 24 * 60 * 60 * 1000

const ago = (days: number): number => Date.now() - days * dayMs

const makeOld = (path: string, days: number): void => utimesSync(path, ago(days) / 1000, ago(days) / 1000)

describe('cleanUp', () => {
  test('removes jobs that ended more than seven days ago, with all their files', async () => {
    const root = jobsDirectory()
    const old = writeJob(root, 'bash_aaaaaa', { output: 'x', exit: { endedAt: ago(7.01) } })
    writeFileSync(join(old.directory, 'exit.json.tmp'), '')
    writeJob(root, 'bash_bbbbbb', { exit: { endedAt: ago(6.99) } })

    expect(await new JobStore({ directory: root }).cleanUp()).toEqual(['bash_aaaaaa'])
    expect(readdirSync(root)).toEqual(['bash_bbbbbb'])
  })

  test('counts from the end of a job, not from its start', async () => {
    const root = jobsDirectory()
    writeJob(root, 'bash_aaaaaa', { createdAt: ago(100), exit: {} })

    expect(await new JobStore({ directory: root }).cleanUp()).toEqual([])
  })

  test('keeps the latest of too many', async () => {
    const root = jobsDirectory()
    for (let i = 0; i < 6; i++) writeJob(root, `bash_00000${i}`, { exit: { endedAt: ago(i / 10) } })

    const removed = await new JobStore({ directory: root, maxJobs: 4 }).cleanUp()

    expect(removed.sort()).toEqual(['bash_000004', 'bash_000005'])
    expect(readdirSync(root)).toHaveLength(4)
  })

  test('keeps 200 by default', async () => {
    const root = jobsDirectory()
    for (let i = 0; i < 203; i++) writeJob(root, `bash_${String(i).padStart(6, '0')}`, { exit: {} })

    expect(await new JobStore({ directory: root }).cleanUp()).toHaveLength(3)
  })

  test('never removes a job that runs, and does not count it', async () => {
    const root = jobsDirectory()
    const supervisor = await startSleep()
    const { directory, output } = writeJob(root, 'bash_aaaaaa', { supervisor, createdAt: ago(100) })
    makeOld(output, 100)
    makeOld(directory, 100)
    writeJob(root, 'bash_bbbbbb', { exit: {} })

    expect(await new JobStore({ directory: root, maxAgeMs: 0, maxJobs: 1 }).cleanUp()).not.toContain(
      'bash_aaaaaa',
    )
    expect(await new JobStore({ directory: root, maxJobs: 0 }).cleanUp()).not.toContain('bash_aaaaaa')
    expect(readdirSync(root)).toEqual(['bash_aaaaaa'])
  })

  test('removes lost and damaged jobs by their last sign of life', async () => {
    const root = jobsDirectory()
    for (const id of ['bash_aaaaaa', 'bash_bbbbbb', 'bash_cccccc', 'bash_dddddd']) {
      const { directory, output, record } = writeJob(root, id)
      if (id > 'bash_c') writeFileSync(record, '{')
      if (id === 'bash_aaaaaa' || id === 'bash_cccccc') makeOld(output, 8)
      makeOld(directory, 8)
    }

    expect((await new JobStore({ directory: root }).cleanUp()).sort()).toEqual(['bash_aaaaaa', 'bash_cccccc'])
    expect(readdirSync(root).sort()).toEqual(['bash_bbbbbb', 'bash_dddddd'])
  })

  test('removes what a failed start has left, after a minute', async () => {
    const root = jobsDirectory()
    const [failed, starting] = [join(root, 'bash_aaaaaa'), join(root, 'bash_bbbbbb')]
    for (const directory of [failed, starting]) {
      mkdirSync(directory)
      writeFileSync(join(directory, 'job.json.tmp'), '{')
    }
    utimesSync(failed, Date.now() / 1000 - 61, Date.now() / 1000 - 61)

    expect(await new JobStore({ directory: root }).cleanUp()).toEqual([])
    expect(readdirSync(root)).toEqual(['bash_bbbbbb'])
  })

  test('touches nothing that is no job', async () => {
    const root = jobsDirectory()
    const elsewhere = tempDir()
    writeFileSync(join(elsewhere, 'keep'), '')
    mkdirSync(join(root, 'notes'))
    writeFileSync(join(root, 'bash_aaaaaa'), '')
    symlinkSync(elsewhere, join(root, 'bash_bbbbbb'))
    const { directory } = writeJob(root, 'bash_cccccc', { exit: {} })
    symlinkSync(elsewhere, join(directory, 'link'))
    for (const name of ['notes', 'bash_aaaaaa']) makeOld(join(root, name), 100)

    await new JobStore({ directory: root, maxJobs: 0 }).cleanUp()

    expect(readdirSync(root).sort()).toEqual(['bash_aaaaaa', 'bash_bbbbbb', 'notes'])
    expect(existsSync(join(elsewhere, 'keep'))).toBe(true)
  })

  test('of many stores at once removes everything once, and fails nowhere', async () => {
    const root = jobsDirectory()
    for (let i = 0; i < 100; i++) {
      writeJob(root, `bash_${String(i).padStart(6, '0')}`, {
        exit: { endedAt: ago(8) },
        output: 'x'.repeat(1000),
      })
    }
    const stores = Array.from({ length: 4 }, () => new JobStore({ directory: root }))

    const [, , , , jobs] = await Promise.all([...stores.map((store) => store.cleanUp()), stores[0]?.list()])

    expect(readdirSync(root)).toEqual([])
    expect(Array.isArray(jobs)).toBe(true)
  })

  test('survives the removal of the whole directory', async () => {
    const root = jobsDirectory()
    writeJob(root, 'bash_aaaaaa', { exit: { endedAt: ago(8) } })
    const cleaning = new JobStore({ directory: root }).cleanUp()
    rmSync(root, { recursive: true })

    await expect(cleaning).resolves.toEqual(expect.any(Array))
    await expect(new JobStore({ directory: root }).cleanUp()).resolves.toEqual([])
  })

  test('removes the others, and says which one it could not', async () => {
    const root = jobsDirectory(ordinaryOwner)

    await asOrdinaryUser(async () => {
      const stuck = writeJob(root, 'bash_aaaaaa', { exit: { endedAt: ago(9) } })
      chmodSync(stuck.directory, 0o500)
      writeJob(root, 'bash_bbbbbb', { exit: { endedAt: ago(8) } })

      await expect(new JobStore({ directory: root }).cleanUp()).rejects.toMatchObject({
        code: 'ERR_JOB_DIRECTORY',
        step: 'rm',
        path: stuck.directory,
      })
      expect(readdirSync(root)).toEqual(['bash_aaaaaa'])
      chmodSync(stuck.directory, 0o700)
    })
  })
})
