// Removing what old jobs have left. Two hosts may do it at once: what is gone already is fine.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { watchPaths } from '../../processes/engine/job-format/watch-layout.js'
import { isThere, jobPaths } from './directory.js'
import { inspectJobs } from './inspect.js'
import { isUnlisted, removeJob, removeJobFiles } from './remove.js'
import { removeSavedOutput } from './saved-output.js'
import { removeToldEnds } from './watch/retention.js'
import { settleJob } from './watch/settle.js'

export interface CleanUpLimits {
  /** Ended jobs are removed when their end was so long ago, milliseconds. */
  maxAgeMs: number
  /** Ended jobs that are kept, the latest. */
  maxJobs: number
}

/** A directory without job.json is that of a job about to start, for so long. */
const startMs = 60_000

/**
 * Removes ended and lost jobs beyond the limits, and what starts that failed have left; never a running job, nor one of
 * which it cannot be told. One that cannot be removed does not keep the others.
 *
 * @returns the ids of the jobs that were removed
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export async function cleanUpJobs(root: string, { maxAgeMs, maxJobs }: CleanUpLimits): Promise<string[]> {
  const now = Date.now()
  const ended: { id: string; endedAt: number }[] = []
  /** Starts that have failed, and jobs whose removal was cut off: of those the end may not have been told. */
  const unfinished: string[] = []
  const failures: unknown[] = []
  for await (const { id, job, failure } of inspectJobs(root)) {
    if (failure !== undefined) failures.push(failure)
    else if (job === undefined) unfinished.push(id)
    else if (job.endedAt !== null) ended.push({ id, endedAt: job.endedAt })
  }
  ended.sort((a, b) => b.endedAt - a.endedAt)
  const old = ended.filter(({ endedAt }, index) => index >= maxJobs || now - endedAt > maxAgeMs)
  const oldIds = old.map(({ id }) => id)

  const removeEnded = async (id: string) => {
    if (isUnlisted(root, id)) return await removeJob(root, id)
    // Its end is told from elsewhere from now on.
    settleJob(root, id)
    return await removeJobFiles(root, id)
  }
  const removeUnfinished = async (id: string) => {
    settleJob(root, id)
    // Only a job has an end.
    const hasEnded = isThere(join(watchPaths(root).ended, id))
    return await (hasEnded ? removeEnded(id) : removeJob(root, id))
  }
  const attempt = (removal: Promise<void>) => removal.catch((failure: unknown) => failures.push(failure))
  for (const id of oldIds) await attempt(removeEnded(id))
  for (const id of unfinished) {
    if (isOld(jobPaths(root, id).directory, now)) await attempt(removeUnfinished(id))
  }
  await attempt(removeToldEnds(root))
  await removeSavedOutput(maxAgeMs)
  if (failures.length > 0) throw failures[0]
  return oldIds
}

function isOld(directory: string, now: number): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false })
  return stats !== undefined && now - stats.mtimeMs > startMs
}
