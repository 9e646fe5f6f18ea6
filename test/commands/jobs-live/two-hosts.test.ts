// Two hosts that start, list, read, kill and clean up jobs in one directory at once.
import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobStore } from '../../../lib/index.js'
import { runHost, startHost } from '../../support/host.js'
import { processesWith, uniqueSleep } from '../../support/processes.js'
import { tempDir } from '../../support/temp-dir.js'
import { jobsDirectory, writeJob } from '../jobs/job-files.js'
import { leaveNothing, liveStore } from './live-jobs.js'

afterEach(leaveNothing)

interface Shared {
  ends: (string | null)[]
  unexpected: unknown[]
}

test('nothing is lost, nothing is unreadable, and each job ends as it should', async () => {
  const marker = uniqueSleep()
  const directory = join(tempDir(), 'jobs')
  liveStore(directory)
  const share = (name: string) =>
    runHost<Shared>('jobs-share', { argument: { directory, name, endless: `sleep ${marker}`, count: 30 } })
  const [one, two] = await Promise.all([share('one'), share('two')])

  expect(one.unexpected).toEqual([])
  expect(two.unexpected).toEqual([])
  expect([...one.ends, ...two.ends]).not.toContain(null)
  expect(one.ends).toHaveLength(30)
  expect(two.ends).toHaveLength(30)
  expect(processesWith(marker)).toEqual([])

  await new JobStore({ directory, maxJobs: 0 }).cleanUp()
  expect(readdirSync(directory)).toEqual([])
})

test('a job that one host removes is never lost to another one', async () => {
  const directory = jobsDirectory()
  const stop = join(tempDir(), 'stop')
  const host = startHost('jobs-list', { argument: { directory, stop } })
  const staging = jobsDirectory()
  const store = new JobStore({ directory, maxJobs: 0 })
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from(
      { length: 50 },
      (_, index) => `bash_${String(round * 50 + index).padStart(6, '0')}`,
    )
    for (const id of ids) {
      writeJob(staging, id, { exit: {} })
      renameSync(join(staging, id), join(directory, id))
    }
    await store.cleanUp()
  }
  writeFileSync(stop, '')

  const { seen, others } = await host.report<{ seen: number; others: unknown[] }>('result')
  expect(others).toEqual([])
  expect(seen).toBeGreaterThan(0)
})
