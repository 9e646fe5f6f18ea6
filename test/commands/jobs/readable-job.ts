// A job whose output is read, in a directory of its own.
import type { ReadJobOptions } from '../../../lib/commands/jobs/read.js'
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { type JobFiles, jobsDirectory, startSleep, writeJob } from './job-files.js'

export const id = 'bash_aaaaaa'

export const jobWith = (files: JobFiles) => {
  const root = jobsDirectory()
  const paths = writeJob(root, id, files)
  const store = new JobStore({ directory: root })
  const read = (options?: ReadJobOptions) => store.read(id, options)
  return { store, paths, read }
}

/** Its supervisor is ended by `stopAll`. */
export const runningJob = async (output: string | Buffer = '') =>
  jobWith({ output, supervisor: await startSleep() })
