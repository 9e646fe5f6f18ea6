// Results as exit statuses: those of timeout(1) and env(1), and the shell's for signals.

import { signalNumber } from '../../base/util/signal-names.js'
import type { BashResult } from './result.js'

export const timedOutStatus = 124
/** Nothing to blame the command for: it was called wrongly, or the system failed. */
export const failedStatus = 125
export const rejectedStatus = 126

/** What a shell gives for a program that a signal has ended. */
export function signalStatus(signal: string): number {
  return 128 + signalNumber(signal)
}

/** The exit status for a command that ended by itself, at its timeout, or never ran. */
export function exitStatusOf({
  status,
  exitCode,
  signal,
}: Pick<BashResult, 'status' | 'exitCode' | 'signal'>): number {
  switch (status) {
    case 'completed':
    case 'background':
      return 0
    case 'failed':
      return signal === null ? (exitCode ?? failedStatus) : signalStatus(signal)
    case 'timed_out':
      return timedOutStatus
    case 'cancelled':
      return signalStatus('SIGINT')
    case 'rejected':
      return rejectedStatus
    case 'invalid':
    case 'error':
      return failedStatus
  }
}
