// How long ends are kept: as long as their jobs, and until those who want them have acknowledged them.
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobStore } from '../../../../lib/commands/jobs/store.js'
import { removeToldEnds } from '../../../../lib/commands/jobs/watch/retention.js'
import {
  consumerDirectoryName,
  consumerPaths,
} from '../../../../lib/processes/engine/job-format/watch-layout.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { jobsDirectory, writeJob } from '../job-files.js'
import { writeEnd } from './watch-files.js'

afterEach(removeTempDirs)

const id = 'bash_aaaaaa'

const writeConsumer = (root: string, name: string, conversation: string | null = null) => {
  const paths = consumerPaths(root, consumerDirectoryName(name))
  mkdirSync(paths.acked, { recursive: true })
  writeFileSync(paths.lock, '')
  writeFileSync(paths.scope, JSON.stringify({ version: 1, conversation, jobId: null }))
  return { ...paths, acknowledge: (job: string) => writeFileSync(join(paths.acked, job), '') }
}

test('an end goes with its job when nobody wants it', async () => {
  const root = jobsDirectory()
  writeJob(root, id, { exit: {} })
  const end = writeEnd(root, id)
  await removeToldEnds(root)
  expect(existsSync(end)).toBe(true)
  await new JobStore({ directory: root, maxJobs: 0 }).cleanUp()
  expect(existsSync(end)).toBe(false)
})

test('an end outlives its job until each consumer has acknowledged it, and the marks go with it', async () => {
  const root = jobsDirectory()
  const end = writeEnd(root, id)
  const [first, second] = [writeConsumer(root, 'first'), writeConsumer(root, 'second')]
  first.acknowledge(id)
  await removeToldEnds(root)
  expect(existsSync(end)).toBe(true)
  second.acknowledge(id)
  await removeToldEnds(root)
  expect(existsSync(end)).toBe(false)
  expect([...readdirSync(first.acked), ...readdirSync(second.acked)]).toEqual([])
})

test('an end outlives its job, too, whose removal was cut off a minute ago', async () => {
  const root = jobsDirectory()
  const { directory } = writeJob(root, id, { exit: {} })
  rmSync(join(directory, 'job.json'))
  const past = new Date(Date.now() - 61_000)
  utimesSync(directory, past, past)
  const end = writeEnd(root, id)
  writeConsumer(root, 'a')
  await new JobStore({ directory: root, maxJobs: 0 }).cleanUp()
  expect([existsSync(directory), existsSync(end)]).toEqual([false, true])
})

test('a mark stays as long as the job does', async () => {
  const root = jobsDirectory()
  writeJob(root, id, { exit: {} })
  writeEnd(root, id)
  const consumer = writeConsumer(root, 'a')
  consumer.acknowledge(id)
  await removeToldEnds(root)
  expect(readdirSync(consumer.acked)).toEqual([id])
})

test('a consumer keeps only ends of its conversation', async () => {
  const root = jobsDirectory()
  writeConsumer(root, 'a', 'mine')
  const mine = writeEnd(root, id, { conversationId: 'mine' })
  const other = writeEnd(root, 'bash_bbbbbb', { conversationId: 'other' })
  await removeToldEnds(root)
  expect([mine, other].map((path) => existsSync(path))).toEqual([true, false])
})

test('a consumer that has not come for seven days is forgotten', async () => {
  const root = jobsDirectory()
  const end = writeEnd(root, id)
  const consumer = writeConsumer(root, 'a')
  const past = new Date(Date.now() - 8 * 86_400_000)
  utimesSync(consumer.lock, past, past)
  await removeToldEnds(root)
  expect(existsSync(consumer.directory)).toBe(false)
  expect(existsSync(end)).toBe(false)
})

test('an end that a call has told of is not kept', async () => {
  const root = jobsDirectory()
  const { directory } = writeJob(root, id, { exit: {} })
  writeFileSync(join(directory, 'unlisted'), '')
  const end = writeEnd(root, id)
  writeConsumer(root, 'a')
  await new JobStore({ directory: root, maxJobs: 0 }).cleanUp()
  expect(existsSync(end)).toBe(false)
})

test('more than ten thousand are not kept for somebody who does not come, who is told that', async () => {
  const root = jobsDirectory()
  const consumer = writeConsumer(root, 'a')
  const ids = Array.from({ length: 10_003 }, (_, index) => `bash_${String(index).padStart(6, '0')}`)
  for (const [index, each] of ids.entries()) writeEnd(root, each, { exit: { endedAt: 1000 + index } })
  await removeToldEnds(root)
  const left = readdirSync(join(root, 'ended'))
  expect(left).toHaveLength(10_000)
  expect(left).not.toContain(ids[2])
  expect(left).toContain(ids[3])
  const events = new JobStore({ directory: root }).watch({ consumer: 'a' })
  const { value } = await events.next()
  await events.return()
  expect(value).toMatchObject({ type: 'overflow', missed: 3 })
  expect(existsSync(consumer.missed)).toBe(true)
  await value?.acknowledge()
  expect(existsSync(consumer.missed)).toBe(false)
})
