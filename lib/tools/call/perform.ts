// Running the command of a call: in the foreground, where it may go on as a job, or as a job from its beginning.

import { noteOwnJob } from '../../commands/jobs/kill-command.js'
import { planJob } from '../../commands/jobs/plan.js'
import { cleanUpNowAndThen } from '../../commands/jobs/store.js'
import { withJobPlans } from '../../commands/run/job-plans.js'
import type { BashResult } from '../../commands/run/result.js'
import { execution } from '../../commands/run/run.js'
import type { JobOptions } from '../tool-options.js'
import { permits } from '../verdicts/permits.js'
import type { Call, Pass, Plan } from './call.js'
import { givenInput } from './given-input.js'
import { cancelled } from './not-run.js'

/** @throws {BashError} when the command cannot be started */
export async function perform(call: Call, { plan, readConfined }: Pass): Promise<BashResult> {
  const { background, tool } = call
  if (background && tool.jobs !== undefined) return await startJob(call, plan, tool.jobs)
  const result = await runInForeground(call, plan)
  // A call with an id starts once, and what was read is gone.
  if (call.mark !== undefined || givenInput(call.given) !== undefined) return result
  if (tool.verdicts?.approve === undefined || readConfined || result.denials === undefined) return result
  const repeat = (wider: Plan) => runInForeground(call, wider)
  return await permits().repeatWithGrants(call, tool.verdicts, { plan, result }, repeat)
}

async function runInForeground(call: Call, { workingDir, options, display }: Plan): Promise<BashResult> {
  const { command, owner, tool } = call
  const { jobs } = tool
  if (jobs === undefined) return await execution().execute(command, options, display)
  const started = { command, workingDir, owner, startedAt: Date.now() }
  const result = await execution().execute(command, withJobPlans(options, started, jobs), display)
  if (result.savedOutput !== undefined) cleanUpOf(jobs)
  return result.jobId === undefined ? result : await lookAtJob(call, result, result.jobId, jobs)
}

/** Of a command that goes on as a job, or has left one. */
async function lookAtJob(call: Call, result: BashResult, id: string, jobs: JobOptions): Promise<BashResult> {
  noteOwnJob(id)
  const store = jobs.store()
  const { listening } = await store.get(id).catch(() => ({ listening: undefined }))
  if (listening !== undefined) result.listening = listening
  if (result.status !== 'background') return result
  if (call.cancel?.aborted === true) {
    // It came too late for the engine: nobody would learn of the job.
    await store.kill(id)
    return cancelled(call)
  }
  cleanUpOf(jobs)
  return result
}

async function startJob(call: Call, { workingDir, options }: Plan, jobs: JobOptions): Promise<BashResult> {
  const { command, owner, timeoutMs: limitMs, cancel } = call
  const isCancelled = () => cancel?.aborted === true
  if (isCancelled()) return cancelled(call)
  const store = jobs.store()
  const { terminal } = options
  const started = { command, workingDir, owner, startedAt: Date.now() }
  const { outputLimit } = jobs
  const job = planJob(store.directory, { ...started, limitMs, outputLimit, adopted: false, terminal })
  const result = await execution().startJob(command, options, job)
  noteOwnJob(job.id)
  if (isCancelled()) {
    // Cancelled while it started: nobody would learn of it.
    await store.kill(job.id)
    return cancelled(call)
  }
  cleanUpNowAndThen(store)
  return result
}

/** Where there is no directory for jobs, none have to be removed. */
function cleanUpOf({ store }: JobOptions): void {
  try {
    cleanUpNowAndThen(store())
  } catch {
    // ERR_JOB_DIRECTORY
  }
}
