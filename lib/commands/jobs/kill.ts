// Ending a job with everything it has started. Its supervisor does that, for it alone knows them all.

import { constants } from 'node:os'
import { BashError, type BashErrorCode, describeFailure } from '../../base/errors.js'
import {
  isAlive,
  isElsewhere,
  isSupervisorProcess,
  type ProcessIdentity,
  remainingGroup,
} from '../../base/util/process-identity.js'
import { supervisorOf } from './inspect.js'
import type { Job } from './job.js'
import { lockHolder } from './lock-holder.js'
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
 * Makes the supervisor kill everything: SIGTERM, SIGKILL after a grace period. Waits until it has.
 */
export async function killJob(
  root: string,
  look: () => Promise<Job>,
  signalProcess: SignalProcess,
  timeoutMs: number,
): Promise<KillJobResult> {
  const job = await look()
  const isRunning = job.status === 'running'
  const supervisor = isRunning ? findSupervisor(job) : supervisorOf(job)
  if (isRunning && supervisor === undefined) {
    const { problem = 'job.json and the lock on its output name two' } = job
    return notKilled(`${job.id}: which process is its supervisor cannot be known: ${problem}`)
  }
  if (job.status !== 'running' || supervisor === undefined) return notRunning(job)
  const obstacle = obstacleTo(job, supervisor)
  if (obstacle !== undefined) return notKilled(`${job.id}: ${obstacle}`)
  const { SIGCONT, SIGUSR1 } = constants.signals
  const errno = signalProcess(supervisor.pid, supervisor.startTime, SIGUSR1)
  // The command may have stopped it.
  signalProcess(supervisor.pid, supervisor.startTime, SIGCONT)
  // ESRCH: it has just ended, and its last file tells how.
  if (errno === constants.errno.EXDEV) {
    const unknown = `whether process ${supervisor.pid} is its supervisor cannot be known`
    return notKilled(`${job.id}: /proc shows another PID namespace than this one: ${unknown}`)
  }
  if (errno !== 0 && errno !== constants.errno.ESRCH) {
    return notKilled(`${job.id}: ${describeFailure({ step: `signal process ${supervisor.pid}`, errno })}`)
  }
  const ended = await waitForEnd(root, look, { timeoutMs }).catch((error: unknown) => {
    // Without a record it is gone with its supervisor.
    if (job.record === null && BashError.isInstance(error) && error.code === 'ERR_JOB_NOT_FOUND')
      return undefined
    throw error
  })
  if (ended === undefined) return { status: 'killed' }
  if (ended.status === 'killed') return { status: 'killed' }
  if (ended.status !== 'running') return notRunning(ended)
  const isRecorded = job.record?.supervisor.pid === supervisor.pid && isAlive(supervisor) === true
  const hint = isRecorded ? `; try: kill -9 -${job.record?.pgid}` : ''
  return notKilled(`${job.id} still runs ${timeoutMs / 1000}s after the signal${hint}`)
}

/**
 * The record can be damaged, and the process that it names another one; the output can be a link to that of another job.
 *
 * @returns undefined when that cannot be told
 */
function findSupervisor(job: Job): ProcessIdentity | undefined {
  const recorded = supervisorOf(job)
  // Of another container: that one ends it.
  if (recorded !== undefined && isElsewhere(recorded)) return recorded
  const holder = lockHolder(job.outputFile)
  if (holder === undefined || recorded?.pid === holder.pid) return recorded
  const isLiving = recorded !== undefined && isAlive(recorded) === true && isSupervisorProcess(recorded.pid)
  return isLiving ? undefined : holder
}

/** Why a process must not be signalled: its number may be that of another one. */
function obstacleTo({ id }: Job, supervisor: ProcessIdentity): string | undefined {
  if (isElsewhere(supervisor)) {
    return `it runs in another PID namespace, such as that of another container: end it there, with: bashward jobs kill ${id}`
  }
  // A record that does not say where its numbers count: that the process is a supervisor has to be seen.
  const isKnown = typeof supervisor.pidNamespace === 'number' || isSupervisorProcess(supervisor.pid)
  return isKnown
    ? undefined
    : `job.json does not say in which PID namespace its processes are, and process ${supervisor.pid} of this one is no supervisor`
}

function notRunning(job: Job): KillJobResult {
  if (job.status === 'lost' && job.record !== null) {
    const { pgid, startTime, bootId, pidNamespace } = job.record
    const remaining = remainingGroup({ pid: pgid, startTime, bootId, pidNamespace })
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
