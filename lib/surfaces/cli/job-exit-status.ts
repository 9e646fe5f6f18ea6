// How a job has ended, as an exit status.

import type { Job } from '../../commands/jobs/job.js'
import { signalStatus, timedOutStatus } from '../../commands/run/exit-status.js'
import { ExitStatus } from './command-line.js'

/** As `exitStatusOf` of a result. Of a job that is lost nobody knows how its command did. */
export function jobExitStatusOf({ status, exitCode, signal }: Job): number {
  if (status === 'completed') return ExitStatus.success
  if (status === 'timed_out') return timedOutStatus
  return exitCode ?? (signal === null ? ExitStatus.toolFailed : signalStatus(signal))
}
