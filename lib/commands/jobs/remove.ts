// Removing a job, or keeping it out of the list.

import { closeSync, constants, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openRegularFile } from '../../base/util/regular-file.js'
import { directoryError, jobPaths } from './directory.js'
import { forgetJob } from './watch/retention.js'

/**
 * Removes a job of which a call has told, or that has not started: with its output, and nobody is told of its end.
 *
 * @throws {BashError} (rejects) ERR_JOB_DIRECTORY with step, errno and path
 */
export async function removeJob(root: string, id: string): Promise<void> {
  await removeJobFiles(root, id)
  forgetJob(root, id)
}

/** Removes a job with its output; how it ended is still told. @throws {BashError} (rejects) ERR_JOB_DIRECTORY with step, errno and path */
export async function removeJobFiles(root: string, id: string): Promise<void> {
  const { directory, record } = jobPaths(root, id)
  try {
    // First what makes it a job: should this process die here, nobody sees half of one.
    await rm(record, { force: true })
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  } catch (cause) {
    throw directoryError('rm', directory, cause)
  }
}

/**
 * Keeps a job that has ended out of the list: a call has told of its end. Its output can be read by its id until a
 * clean-up removes it.
 *
 * @throws {BashError} ERR_JOB_DIRECTORY with step, errno and path
 */
export function unlistJob(root: string, id: string): void {
  const path = markOf(root, id)
  try {
    closeSync(openRegularFile(path, constants.O_WRONLY | constants.O_CREAT))
  } catch (cause) {
    throw directoryError('open', path, cause)
  }
}

/** Whether {@link unlistJob} was called for it. */
export function isUnlisted(root: string, id: string): boolean {
  return existsSync(markOf(root, id))
}

function markOf(root: string, id: string): string {
  return join(jobPaths(root, id).directory, 'unlisted')
}
