// Going through all jobs, without holding the event loop however many there are.

import { type Dirent, readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { checkJobsDirectory, directoryError, isJobId } from './directory.js'
import { inspectJob, type Job } from './inspect.js'

/** Looks between two turns of the event loop; each takes some 100 µs. */
const looksPerTurn = 20

export interface Found {
  id: string
  /** Undefined while it starts, and after a failed start. */
  job?: Job | undefined
  /** Why it cannot be told how it is. */
  failure?: unknown
}

/**
 * Every directory that is a job's, each with its job.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export async function* inspectJobs(root: string): AsyncGenerator<Found> {
  let looks = 0
  for (const id of jobIds(root)) {
    if (++looks % looksPerTurn === 0) await nextTurn()
    yield lookAt(root, id)
  }
}

function lookAt(root: string, id: string): Found {
  try {
    return { id, job: inspectJob(root, id) }
  } catch (failure) {
    return { id, failure }
  }
}

function jobIds(root: string): string[] {
  if (!checkJobsDirectory(root)) return []
  let entries: Dirent[]
  try {
    entries = readdirSync(root, { withFileTypes: true })
  } catch (cause) {
    throw directoryError('readdir', root, cause)
  }
  return entries.filter((entry) => entry.isDirectory() && isJobId(entry.name)).map(({ name }) => name)
}
