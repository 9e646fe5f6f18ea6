// What is said of a job that is not there.

import { BashError } from '../../base/errors.js'
import { preview } from '../../base/util/schema/preview.js'
import { inspectJobs } from './inspect.js'

/** Running jobs that the message names. */
const namedJobs = 20

/** @returns ERR_JOB_NOT_FOUND, with the ids of those that run */
export async function jobNotFound(root: string, id: string): Promise<BashError> {
  const running: string[] = []
  for await (const { id: other, job } of inspectJobs(root)) {
    if (job?.status === 'running') running.push(other)
  }
  const more = running.length > namedJobs ? `, and ${running.length - namedJobs} more` : ''
  const names = running.length === 0 ? 'none' : running.slice(0, namedJobs).join(', ')
  const shown = /^[\w.-]{1,60}$/.test(id) ? id : preview(id)
  return new BashError(
    'ERR_JOB_NOT_FOUND',
    `No background command with id ${shown} (running: ${names}${more})`,
  )
}
