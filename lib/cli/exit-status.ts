// The exit statuses of the program.

import type { Job } from '../jobs/inspect.js'
import { failedStatus, signalStatus, timedOutStatus } from '../run/exit-status.js'

export const ExitStatus = {
  success: 0,
  /** There is no such job, or it cannot be killed. */
  jobFailed: 1,
  /** Restricted mode cannot be offered here. */
  noSandbox: 1,
  /** A command that was to be checked, and not to be run, is refused. */
  checkedAndRefused: 1,
  /** The program failed or was called wrongly; the command is not to blame. */
  toolFailed: failedStatus,
} as const

/** As `exitStatusOf`, for a background job that has ended. Of one that is lost nobody knows how its command did. */
export function jobExitStatusOf({
  status,
  exitCode,
  signal,
}: Pick<Job, 'status' | 'exitCode' | 'signal'>): number {
  switch (status) {
    case 'completed':
      return ExitStatus.success
    case 'failed':
    case 'killed':
      return exitCode ?? (signal === null ? ExitStatus.toolFailed : signalStatus(signal))
    case 'timed_out':
      return timedOutStatus
    case 'running':
    case 'lost':
      return ExitStatus.toolFailed
  }
}
