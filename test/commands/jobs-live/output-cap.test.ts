// Row 10: a background job cannot fill the disk, nor the memory of its supervisor.
import { readFileSync, statSync } from 'node:fs'
import { waitFor } from '../../support/wait-for.js'
import { type LiveJob, type LiveJobs, leaveNothing, liveJobs, supervisorPid } from './live-jobs.js'
import { residentBytes } from './proc-numbers.js'

afterEach(leaveNothing)

const cap = 1024 * 1024
const statusLine = '\n\n[background process killed: SIGTERM]'

/** Watches the file while `yes` goes on for `ms` after the file is full. @returns the largest sizes that were seen */
const watch = async ({ store }: LiveJobs, { id, outputFile }: LiveJob, ms: number) => {
  const supervisor = supervisorPid(await store.get(id))
  const most = { file: 0, supervisor: 0 }
  let end = Number.POSITIVE_INFINITY
  await waitFor(
    () => {
      most.file = Math.max(most.file, statSync(outputFile).size)
      most.supervisor = Math.max(most.supervisor, residentBytes(supervisor))
      if (most.file > cap / 2) end = Math.min(end, Date.now() + ms)
      return Date.now() > end
    },
    { what: 'the file to be full, and a while more', deadlineMs: 30_000, intervalMs: 2 },
  )
  return most
}

test('row 10: the file of `yes` stays within the cap at every moment, and the end says what was dropped', async () => {
  const jobs = liveJobs({ maxJobOutputBytes: cap })
  const job = await jobs.start('yes')
  const most = await watch(jobs, job, 2500)
  expect(most.file).toBeLessThanOrEqual(cap)
  expect(most.supervisor).toBeLessThan(4 * 1024 * 1024)

  expect(await jobs.store.kill(job.id)).toEqual({ status: 'killed' })
  const { droppedBytes, outputBytes, status } = await jobs.store.get(job.id)
  expect(status).toBe('killed')
  expect(outputBytes).toBeGreaterThan(2 * cap)
  const file = readFileSync(job.outputFile, 'latin1')
  expect(file.length).toBeLessThanOrEqual(cap)
  expect(file.endsWith(`y\n${statusLine}`)).toBe(true)
  // Whatever was printed is in the file or counted.
  const notice = `\n\n[${droppedBytes} bytes dropped]\n\n`
  const [first = '', last = ''] = file.slice(0, -statusLine.length).split(notice)
  expect(first.length + last.length + droppedBytes).toBe(outputBytes)
  expect(first.startsWith('y\ny\n')).toBe(true)
  expect(last).toHaveLength(64 * 1024)
})

test('a reader is told that output was dropped, and where', async () => {
  const { store, start } = liveJobs({ maxJobOutputBytes: 256 * 1024 })
  const { id } = await start('seq 100000')
  await store.wait(id, { timeoutMs: 20_000 })
  const { output, droppedBytes, outputBytes, status } = await store.read(id, { filter: 'dropped|^100000$' })

  expect({ status, outputBytes }).toEqual({ status: 'completed', outputBytes: 588_895 })
  expect(droppedBytes).toBeGreaterThan(200_000)
  expect(output).toBe(`[${droppedBytes} bytes dropped]\n100000\n`)
})

test('output up to the cap is whole', async () => {
  const { store, start } = liveJobs({ maxJobOutputBytes: 1024 * 1024 })
  const { id, outputFile } = await start('seq 150000')

  expect(await store.wait(id, { timeoutMs: 20_000 })).toMatchObject({
    outputBytes: 938_895,
    droppedBytes: 0,
  })
  const lines = readFileSync(outputFile, 'utf8').split('\n')
  expect(lines.slice(0, 150_000)).toEqual(Array.from({ length: 150_000 }, (_, index) => String(index + 1)))
})
