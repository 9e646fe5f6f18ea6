// `bashward jobs attach`: a person watches and takes over the terminal of a job.

import { readFileSync } from 'node:fs'
import { BashError } from '../../../base/errors.js'
import type { JobStore } from '../../../commands/jobs/store.js'
import { sandboxNotes } from '../../../tools/sandbox-notes.js'
import { ExitStatus } from '../command-line.js'
import { jobExitStatusOf } from '../job-exit-status.js'
import type { JobsCall } from '../jobs-options.js'
import { describeEnd, describeStatus, statusStyles } from '../jobs-table.js'
import { printStatus } from '../status-lines.js'
import { Attachment, type Ending } from './attachment.js'
import { checkPersonTerminal } from './person-terminal.js'

type AttachCall = Extract<JobsCall, { action: 'attach' }>

/**
 * @returns the exit status: that of the job's command if it has ended meanwhile
 * @throws {UsageError} where there is no terminal
 * @throws {BashError} ERR_JOB_NOT_FOUND, ERR_JOB_NOT_RUNNING; ERR_TERMINAL when the job has none
 */
export async function attachToJob(call: AttachCall, store: JobStore): Promise<number> {
  const { id, isReadOnly, isResized } = call
  checkPersonTerminal('bashward jobs', "'attach'")
  const job = await store.wait(id, { timeoutMs: 0 })
  if (job.status !== 'running')
    throw new BashError('ERR_JOB_NOT_RUNNING', `${id} does not run: it is ${describeStatus(job)}`)
  if (sessionOfThis() === job.record?.pid) {
    throw new BashError('ERR_TERMINAL', `${id}: this is its own terminal, which would show itself for ever`)
  }
  const ending = await new Attachment(store, job, { isReadOnly, isResized }).run()
  if (ending.why === 'ended') {
    const { job } = ending
    const lines = [`[${id} ${describeEnd(job)}]`, ...sandboxNotes(job)]
    await printStatus(lines, { isMidLine: false, style: statusStyles[job.status] })
    return jobExitStatusOf(job)
  }
  return await tellOfLeaving(id, ending, isResized)
}

/** Its leader is the shell of a job, where this runs in the terminal of one. */
function sessionOfThis(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // The name before it may hold blanks and parentheses.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  } catch {
    return undefined
  }
}

/** @returns the exit status */
export async function tellOfLeaving(
  id: string,
  ending: Exclude<Ending, { why: 'ended' }>,
  isResized: boolean,
): Promise<number> {
  const back = `bashward jobs attach ${id}${isResized ? ' --resize' : ''}`
  await printStatus([`[${id} goes on; to come back: ${back}]`], { isMidLine: false, style: 'bold' })
  return ending.why === 'signal' ? ending.exitStatus : ExitStatus.success
}
