// Starting a job removes what has expired; no call waits for that.
import { existsSync } from 'node:fs'
import { jobsDirectory, writeJob } from '../commands/jobs/job-files.js'
import { endJobs, storeAt } from '../support/jobs.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { waitFor } from '../support/wait-for.js'
import { startJob } from './background-job.js'

afterEach(endJobs)
afterAll(removeTempDirs)

test('the first job in a directory removes expired ones, whatever was done in others', async () => {
  for (const root of [jobsDirectory(), jobsDirectory()]) {
    const expired = writeJob(root, 'bash_aaaaaa', { exit: { endedAt: 0 } })
    await startJob('true', { jobs: storeAt(root) })

    await waitFor(() => (existsSync(expired.directory) ? undefined : true), { what: 'the removal' })
  }
})
