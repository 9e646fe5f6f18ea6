// What store.watch() takes.

import {
  checkAbortSignal,
  checkFlag,
  checkInteger,
  checkObject,
  checkType,
  invalidInput,
} from '../../../base/util/invalid-input.js'
import { compileFilter } from '../line-filter.js'
import type { ReadJobOptions } from '../read.js'
import { checkRedactJob } from '../redaction.js'

export interface WatchJobsOptions {
  /** Only the jobs of this conversation. */
  conversationId?: string | undefined
  /**
   * A name of 1 to 1000 characters, such as `'agent-7'`. What it has acknowledged is kept on the disk: each end is told
   * until it is acknowledged and not after, also of jobs that ended while nobody watched. One watcher at a time may have
   * the name; a consumer that does not come for 7 days is forgotten. Default: none; then only what happens from now on is
   * told. Needs the native engine.
   */
  consumer?: string | undefined
  /** Only this job: the iteration ends with its end, which is told also when it ended before. */
  jobId?: string | undefined
  /**
   * Tells of the lines of that one job that match a regular expression, from its first line on: RE2 syntax, as
   * `filter` of a read. Needs `jobId`.
   */
  match?: string | undefined
  /** Tells of ports on which a job begins to listen. Default false. */
  listening?: boolean | undefined
  /** Tells when a job has printed nothing for so long, milliseconds. 100…2,147,483,647; by default not. */
  quietAfterMs?: number | undefined
  /** As of a read: what is taken out of lines and commands. Default true. */
  redact?: ReadJobOptions['redact']
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined
}

export type CheckedWatch = Omit<WatchJobsOptions, 'listening'> & { listening: boolean }

const fields = [
  ...['conversationId', 'consumer', 'jobId', 'match', 'listening', 'quietAfterMs'],
  ...['redact', 'signal'],
]
const maxNameLength = 1000

/** @throws {BashError} ERR_INVALID_INPUT, ERR_INVALID_FILTER */
export function checkWatchOptions(value: unknown): CheckedWatch {
  const options = checkObject('options', value, fields) as WatchJobsOptions
  const { conversationId, consumer, jobId, match, quietAfterMs, redact, signal } = options
  checkType<string>('options.conversationId', conversationId, 'string')
  checkType<string>('options.jobId', jobId, 'string')
  checkType<string>('options.consumer', consumer, 'string')
  if (consumer !== undefined && !isName(consumer)) {
    throw invalidInput('options.consumer', `must have 1 to ${maxNameLength} characters`, consumer)
  }
  if (match !== undefined) {
    compileFilter(match, 'options.match')
    if (jobId === undefined)
      throw invalidInput('options.match', 'needs jobId: the one job it looks at', match)
  }
  if (quietAfterMs !== undefined) {
    checkInteger('options.quietAfterMs', quietAfterMs, [100, 2 ** 31 - 1], 'milliseconds')
  }
  checkRedactJob('options.redact', redact)
  checkAbortSignal('options.signal', signal)
  return { ...options, listening: checkFlag('options.listening', options.listening) }
}

/** Half surrogates all become the same character on the disk: two such names would be one consumer. */
function isName(text: string): boolean {
  return text !== '' && text.length <= maxNameLength && Buffer.from(text).toString() === text
}
