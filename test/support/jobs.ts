// Background jobs of a test: in a directory of their own, and ended when the test is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../../lib/commands/jobs/job.js'
import { JobStore } from '../../lib/commands/jobs/store.js'
import { isAlive } from './processes.js'
import { tempDir } from './temp-dir.js'
import { waitFor } from './wait-for.js'

const stores: JobStore[] = []

/** A store whose jobs are ended by {@link endJobs}. */
export const storeAt = (directory: string): JobStore => {
  const store = new JobStore({ directory })
  stores.push(store)
  return store
}

/** A store whose directory does not exist yet, as for a user who never had a job. */
export const tempStore = (): JobStore => storeAt(join(tempDir(), 'state', 'jobs'))

/** The last words of a supervisor, which are the last line of the output file. */
const statusLine = /\n\n\[background process [^\n]*\]$/

/** Waits until a job has ended, and resolves with all of its output file. */
export const waitForStatusLine = (outputFile = '', deadlineMs = 20_000): Promise<string> =>
  waitFor(
    () => {
      const text = readFileSync(outputFile, 'utf8')
      return statusLine.test(text) ? text : undefined
    },
    { what: `the status line of ${outputFile}`, deadlineMs },
  )

/** Waits until the output file contains `text`. */
export const waitForOutput = (outputFile = '', text = '\n'): Promise<string> =>
  waitFor(
    () => {
      const output = readFileSync(outputFile, 'utf8')
      return output.includes(text) ? output : undefined
    },
    { what: `${JSON.stringify(text)} in ${outputFile}` },
  )

const waitForSupervisor = async ({ id, record }: Job): Promise<void> => {
  if (record === null) return
  await waitFor(() => !isAlive(record.supervisor.pid), { what: `the supervisor of ${id} to end` })
}

/** Kills what still runs in the stores of the test, and waits until no supervisor is left. For `afterEach`. */
export const endJobs = async (): Promise<void> => {
  for (const store of stores.splice(0)) {
    for (const job of await store.list().catch(() => [])) {
      if (job.status === 'running') await store.kill(job.id)
      if (job.status !== 'lost') await waitForSupervisor(job)
    }
  }
}
