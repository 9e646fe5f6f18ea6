// Ending a job with everything it has started. Its supervisor does that, for it alone knows them all.

import { constants } from 'node:os'
import type { BashErrorCode } from '../errors.js'
import { describeFailure } from '../system-error.js'
import { remainingGroup } from './identity.js'
import { type Job, supervisorOf } from './inspect.js'
import { waitForEnd } from './wait.js'

/**
 * Sends a signal to a process, if it still is the one that began at that time.
 *
 * @returns 0, or an error number: ESRCH when that process is gone
 */
export type SignalProcess = (pid: number, startTime: number, signal: number) => number

export interface KillJobResult {
  /**
   * - `killed`: nothing that the job started runs any more
   * - `not_running`: it had ended before, or ended by itself meanwhile
   * - `error`: it may still run; `error` says why
   */
  status: 'killed' | 'not_running' | 'error'
  error?: { code: BashErrorCode; message: string }
}

/**
 * Makes the supervisor kill everything: SIGTERM, SIGKILL after a grace period. Waits until it has (000/REQ-BASH-004).
 */
export async function killJob(
  root: string,
  look: () => Promise<Job>,
  signalProcess: SignalProcess,
  timeoutMs: number,
): Promise<KillJobResult> {
  const job = await look()
  const supervisor = supervisorOf(job)
  if (job.status !== 'running' || supervisor === undefined) return notRunning(job)
  const { SIGCONT, SIGUSR1 } = constants.signals
  const errno = signalProcess(supervisor.pid, supervisor.startTime, SIGUSR1)
  // The command may have stopped it.
  signalProcess(supervisor.pid, supervisor.startTime, SIGCONT)
  // ESRCH: it has just ended, and its last file tells how.
  if (errno !== 0 && errno !== constants.errno.ESRCH) {
    return notKilled(`${job.id}: ${describeFailure({ step: `signal process ${supervisor.pid}`, errno })}`)
  }
  const ended = await waitForEnd(root, look, { timeoutMs })
  if (ended.status === 'killed') return { status: 'killed' }
  if (ended.status !== 'running') return notRunning(ended)
  const pgid = job.record?.pgid
  return notKilled(`${job.id} still runs ${timeoutMs / 1000}s after the signal; try: kill -9 -${pgid}`)
}

function notRunning(job: Job): KillJobResult {
  if (job.status === 'lost' && job.record !== null) {
    const { pgid, startTime, bootId } = job.record
    const remaining = remainingGroup({ pid: pgid, startTime, bootId })
    if (remaining.length > 0) {
      const processes = `processes of its group still run: ${remaining.join(', ')}`
      return notKilled(`${job.id}: its supervisor is gone, ${processes}; to stop them: kill -9 -${pgid}`)
    }
  }
  const message = `${job.id} is not running: ${job.status}${endOf(job)}`
  return { status: 'not_running', error: { code: 'ERR_JOB_NOT_RUNNING', message } }
}

function endOf({ status, exitCode, signal }: Job): string {
  if (status !== 'failed') return ''
  return signal === null ? `, exit code ${exitCode}` : `, ended by ${signal}`
}

function notKilled(message: string): KillJobResult {
  return { status: 'error', error: { code: 'ERR_JOB_NOT_KILLED', message } }
}
