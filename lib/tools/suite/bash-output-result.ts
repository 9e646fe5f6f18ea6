// What BashOutput gives.

import type { ListeningSocket } from '../../commands/jobs/listening/socket.js'
import type { JobOutput } from '../../commands/jobs/read.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'
import type { TerminalFields } from '../../terminals/terminal/report.js'
import type { ListedJob } from './job-list.js'

/** The accumulated output, the same for every reader. */
export interface BashOutputResult extends Omit<JobOutput, 'status'>, TerminalFields {
  /**
   * `'listed'`: no `bash_id` was given, and `jobs` has those of the conversation; `'error'`: there is no such job, or it
   * cannot be read: `error` says why.
   */
  status: JobOutput['status'] | 'listed' | 'error'
  /** Where the processes of a job that runs listen on TCP; none: nowhere. */
  listening?: readonly ListeningSocket[]
  /** Of a call with `wait_ms` or `until`: milliseconds that it has waited. */
  waitedMs?: number
  /** Of a call with `until`: the line that it has matched, or the first 500 characters of that; null: no line has. */
  matched?: string | null
  /** Those that run first, then the latest. At most 20. */
  jobs?: readonly ListedJob[]
  /** How many more there are. */
  moreJobs?: number
  /** Of a job that runs and has printed nothing since it was last read: what its processes wait for, or do. */
  waitingFor?: WaitingFor[]
  /** As that of Bash. */
  news?: string[]
}

/** Of a result that gives no output. */
export const blankOutput = {
  output: '',
  truncated: false,
  binary: false,
  exitCode: null,
  signal: null,
  outputBytes: 0,
  nextOffset: 0,
  droppedBytes: 0,
  unsearchedBytes: 0,
}
