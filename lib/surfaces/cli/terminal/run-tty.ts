// `bashward run --tty`: the command is a job with a terminal, and the person is attached to it.

import { resolve } from 'node:path'
import type { Job } from '../../../commands/jobs/job.js'
import { JobStore } from '../../../commands/jobs/store.js'
import { exitStatusOf } from '../../../commands/run/exit-status.js'
import { type BashResult, blankResult } from '../../../commands/run/result.js'
import { run } from '../../../commands/run/run.js'
import { checkCommand } from '../../../guard/safety/check-command.js'
import { defaultTimeouts } from '../../../tools/bash-schema.js'
import { bashText } from '../../../tools/bash-text.js'
import { loginNotes } from '../../../tools/login-note.js'
import { sandboxNotes } from '../../../tools/sandbox-notes.js'
import { Cancellation } from '../cancellation.js'
import { jobExitStatusOf } from '../job-exit-status.js'
import { describeEnd, statusStyles } from '../jobs-table.js'
import { program, type RunCall, type TtyCall } from '../run-options.js'
import { printStarted } from '../started-job.js'
import { printStatus, statusLines } from '../status-lines.js'
import { tellOfLeaving } from './attach-command.js'
import { Attachment } from './attachment.js'
import { jobSizeFor } from './job-size.js'
import { checkPersonTerminal, sizeOfPersonTerminal } from './person-terminal.js'

/**
 * @returns the exit status: that of the command, or 0 when it goes on without the person
 * @throws {UsageError} where there is no terminal
 * @throws {BashError} when it cannot be started
 */
export async function runOnTerminal(call: RunCall & { tty: TtyCall }): Promise<number> {
  const { rows, cols } = call.tty
  const isAttached = call.mode !== 'background'
  if (isAttached) checkPersonTerminal(program, '--tty', '; with --mode background it needs none')
  const size = {
    ...(isAttached && jobSizeFor(sizeOfPersonTerminal())),
    ...(rows && { rows }),
    ...(cols && { cols }),
  }
  // Until somebody is attached, Ctrl-C and the like are about all of it.
  const cancellation = new Cancellation()
  const stopListening = cancellation.listenToSignals()
  const result = await start(call, size, cancellation.signal)
  stopListening()
  const { status, jobId: id } = result
  if (status !== 'background' || id === undefined) {
    await printStatus(statusLines(result), { isMidLine: false, style: 'red' })
    return cancellation.exitStatus ?? exitStatusOf(result)
  }
  if (!isAttached) {
    await printStarted({ ...result, jobId: id }, bashText(result), 'attach')
    return exitStatusOf(result)
  }
  // What it does not get of start-up files is to be known before the screen is gone.
  await printStatus(loginNotes(result), { isMidLine: false, style: 'yellow' })
  return await attach(id, rows === undefined && cols === undefined)
}

async function attach(id: string, isResized: boolean): Promise<number> {
  const store = new JobStore()
  const job = await store.wait(id, { timeoutMs: 0 })
  const ending = await new Attachment(store, job, { isReadOnly: false, isResized }).run()
  if (ending.why !== 'ended') return await tellOfLeaving(id, ending, isResized)
  await tellOfEnd(ending.job)
  return jobExitStatusOf(ending.job)
}

async function tellOfEnd(job: Job): Promise<void> {
  const lines = job.status === 'completed' ? [] : [`[command ${describeEnd(job)}]`]
  const style = job.status === 'completed' ? 'yellow' : statusStyles[job.status]
  await printStatus([...lines, ...sandboxNotes(job)], { isMidLine: false, style })
}

async function start(
  call: RunCall,
  size: { rows?: number; cols?: number },
  cancelSignal: AbortSignal,
): Promise<BashResult> {
  const { command, cwd, sandbox, workspace, scratch, safety, env, timeoutMs } = call
  if (safety) {
    const verdict = await checkCommand(command, { workingDir: resolve(cwd) })
    if (!verdict.allowed) {
      const { rule, match, message } = verdict
      return {
        ...blankResult(command, 'rejected'),
        rejection: { rule, match },
        error: { code: 'ERR_COMMAND_REJECTED', message },
      }
    }
  }
  const timeout = timeoutMs ?? defaultTimeouts.background
  return await run(command, { cwd, sandbox, workspace, scratch, env, timeout, tty: size, cancelSignal })
}
