// The exit statuses of the program: those of timeout(1) and env(1), and the shell's for signals.

import type { Job } from '../jobs/inspect.js'
import type { BashResult } from '../run/result.js'
import type { ExecResult } from '../tools/exec-result.js'
import { signalNumber } from '../util/signal-names.js'

export const ExitStatus = {
  success: 0,
  /** There is no such job, or it cannot be killed. */
  jobFailed: 1,
  /** Restricted mode cannot be offered here. */
  noSandbox: 1,
  /** A command that was to be checked, and not to be run, is refused. */
  checkedAndRefused: 1,
  timedOut: 124,
  /** The program failed or was called wrongly; the command is not to blame. */
  toolFailed: 125,
  rejected: 126,
} as const

/** What a shell gives for a program that a signal has ended. */
export function signalStatus(signal: string): number {
  return 128 + signalNumber(signal)
}

/** The exit status for a command that ended by itself, at its timeout, or never ran. */
export function exitStatusOf({ status, exitCode, signal }: BashResult): number {
  switch (status) {
    case 'completed':
    case 'background':
      return ExitStatus.success
    case 'failed':
      return signal === null ? (exitCode ?? ExitStatus.toolFailed) : signalStatus(signal)
    case 'timed_out':
      return ExitStatus.timedOut
    case 'cancelled':
      return signalStatus('SIGINT')
    case 'rejected':
      return ExitStatus.rejected
    case 'invalid':
    case 'error':
      return ExitStatus.toolFailed
  }
}

/** Likewise for the exec tool, whose result has a message where others have a status. */
export function execExitStatusOf({ exitCode, error = '' }: ExecResult): number {
  if (exitCode !== null) return exitCode
  if (error.startsWith('command timed out')) return ExitStatus.timedOut
  if (error.startsWith('command rejected')) return ExitStatus.rejected
  return error === 'command cancelled' ? signalStatus('SIGINT') : ExitStatus.toolFailed
}

/** Likewise for a background job that has ended. Of one that is lost nobody knows how its command did. */
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
      return ExitStatus.timedOut
    case 'running':
    case 'lost':
      return ExitStatus.toolFailed
  }
}
