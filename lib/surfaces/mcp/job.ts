// On the portable engine no command becomes a job while it runs, so one that may take longer than an answer is a job from its
// beginning. The call waits for its bash, and gives the result that a foreground command would have given.

import { isAlive } from '../../base/util/process-identity.js'
import type { Job } from '../../commands/jobs/job.js'
import { removeJob, unlistJob } from '../../commands/jobs/remove.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import { type BashResult, blankResult } from '../../commands/run/result.js'
import { jobResult, outputFields, readJob } from './job-result.js'

interface StartedCall {
  jobId: string
  /** As `performance.now()` counts. */
  deadline: number
  cancel: AbortSignal | undefined
  /** Its time limit, milliseconds. */
  timeoutMs: number
  options: ResolvedOptions
  unfinishedNotice: string
  /** Told when the call is answered before its bash has ended. */
  onUnfinished: () => void
}

type Answer = BashResult & { notice?: string }

/** Waits for the job that a command is, and gives its result, or says that it goes on. */
export async function waitForJob(
  store: JobStore,
  started: BashResult,
  { jobId, deadline, cancel, timeoutMs, options, unfinishedNotice, onUnfinished }: StartedCall,
): Promise<Answer> {
  // What the call takes, and not the start of the job.
  started.durationMs = 0
  try {
    const { job, shellEnded } = await waitForShell(store, jobId, deadline, cancel)
    if (job.status !== 'running')
      return await settle(store, await jobResult(store, started, job, timeoutMs, options), jobId)
    const output = outputFields(await readJob(store, jobId, options))
    const { listening } = await store.get(jobId)
    cancel?.throwIfAborted()
    if (!shellEnded) onUnfinished()
    const notice = shellEnded ? leftRunning(jobId) : unfinishedNotice
    return { ...started, ...output, notice, ...(listening !== undefined && { listening }) }
  } catch (error) {
    // Cancelled, or its files cannot be read: nobody has been told of the job, so nobody would end it.
    await store.kill(jobId).catch(() => {})
    if (cancel?.aborted !== true) throw error
    const { command, display, sandbox } = started
    return { ...blankResult(command, 'cancelled', sandbox), display }
  }
}

/** The job of a call that tells of its end is no background job to anybody: only output that was cut is kept. */
async function settle({ directory }: JobStore, result: BashResult, jobId: string): Promise<BashResult> {
  try {
    if (result.jobId === undefined && result.status !== 'error') await removeJob(directory, jobId)
    else unlistJob(directory, jobId)
  } catch {
    // It stays in the list, then, until a clean-up.
  }
  return result
}

function leftRunning(jobId: string): string {
  return `bash has ended; what the command has started in the background goes on as job ${jobId}`
}

interface Waited {
  job: Job
  /** Bash has ended. When the job runs all the same, it is what bash has left running. */
  shellEnded: boolean
}

/** Between two looks at bash, and after its end until what it has left running counts as left, milliseconds. */
const roundMs = 250

/**
 * Waits until a job has ended, or its bash has, or it is time to answer.
 *
 * @param deadline as `performance.now()` counts
 * @throws the reason of `cancel`; BashError when the job cannot be read
 */
async function waitForShell(
  store: JobStore,
  id: string,
  deadline: number,
  cancel: AbortSignal | undefined,
): Promise<Waited> {
  for (let shellEnded = false; ; ) {
    const left = deadline - performance.now()
    const timeoutMs = Math.max(0, Math.min(roundMs, Math.floor(left)))
    const job = await store.wait(id, { timeoutMs, signal: cancel })
    if (job.status !== 'running' || shellEnded) return { job, shellEnded }
    shellEnded = hasShellEnded(job)
    if (left <= roundMs && !shellEnded) return { job, shellEnded }
  }
}

/** Whether bash has ended, and what it has started goes on. */
export function hasShellEnded({ record }: Job): boolean {
  // Where that cannot be told, the call waits for the end of everything.
  return record !== null && isAlive(record) === false
}
