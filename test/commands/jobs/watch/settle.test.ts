// Jobs whose supervisor has not said that they ended.
import { existsSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { readEndRecord } from '../../../../lib/commands/jobs/watch/end-record.js'
import { settleJob } from '../../../../lib/commands/jobs/watch/settle.js'
import { watchPaths } from '../../../../lib/processes/engine/job-format/watch-layout.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { jobsDirectory, startSleep, stopAll, writeExit, writeJob } from '../job-files.js'
import { writeRunning } from './watch-files.js'

afterEach(async () => {
  await stopAll()
  removeTempDirs()
})

const id = 'bash_aaaaaa'
const endOf = (root: string) => readEndRecord(join(watchPaths(root).ended, id))?.value

test('a job that is lost becomes an end with its last lines', () => {
  const root = jobsDirectory()
  writeJob(root, id, { output: 'one\ntwo\n', command: 'work' })
  const running = writeRunning(root, id)
  expect(settleJob(root, id)).toBe(true)
  expect(existsSync(running)).toBe(false)
  expect(endOf(root)).toMatchObject({ id, command: 'work', exit: null, lostAt: expect.any(Number) })
  expect(String(endOf(root)?.tail)).toBe('one\ntwo\n')
})

test('of a job that has ended it says how, without the status line', () => {
  const root = jobsDirectory()
  const exit = { status: 'failed', exitCode: 3 } as const
  writeJob(root, id, { output: 'out\n', statusLine: '\n\n[background process failed: exit code 3]', exit })
  writeRunning(root, id)
  settleJob(root, id)
  expect(endOf(root)).toMatchObject({ exit: { status: 'failed', exitCode: 3 }, tailIsCut: false })
  expect(String(endOf(root)?.tail)).toBe('out\n')
})

test('of a long output it keeps the end', () => {
  const root = jobsDirectory()
  writeJob(root, id, { output: `${'x'.repeat(100_000)}last` })
  writeRunning(root, id)
  settleJob(root, id)
  expect(endOf(root)?.tailIsCut).toBe(true)
  expect(String(endOf(root)?.tail)).toMatch(/^x+last$/)
})

test('a job that runs is left alone', async () => {
  const root = jobsDirectory()
  writeJob(root, id, { supervisor: await startSleep() })
  const running = writeRunning(root, id)
  expect(settleJob(root, id)).toBe(false)
  expect(existsSync(running)).toBe(true)
})

test('a supervisor that has written exit.json is left to finish', async () => {
  const root = jobsDirectory()
  const supervisor = await startSleep()
  writeExit(writeJob(root, id, { supervisor }), {})
  writeRunning(root, id)
  expect(settleJob(root, id)).toBe(false)
  await supervisor.stop()
  expect(settleJob(root, id)).toBe(true)
  expect(endOf(root)?.exit?.status).toBe('completed')
})

test('what a start that failed has left is removed, but only after a while', () => {
  const root = jobsDirectory()
  const running = writeRunning(root, id)
  expect(settleJob(root, id)).toBe(false)
  const past = new Date(Date.now() - 120_000)
  utimesSync(running, past, past)
  expect(settleJob(root, id)).toBe(true)
  expect(existsSync(running)).toBe(false)
  expect(endOf(root)).toBeUndefined()
})

test('an end that was told and removed does not come back', () => {
  const root = jobsDirectory()
  writeJob(root, id)
  writeRunning(root, id)
  settleJob(root, id)
  rmSync(join(watchPaths(root).ended, id))
  expect(settleJob(root, id)).toBe(true)
  expect(endOf(root)).toBeUndefined()
})
