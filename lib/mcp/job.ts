// On the portable engine no command becomes a job while it runs, so one that may take longer than an answer is a job from its
// beginning. The call waits for its bash, and gives the result that a foreground command would have given.

import { isAlive } from '../jobs/identity.js'
import type { Job } from '../jobs/inspect.js'
import type { ListeningSocket } from '../jobs/listening/socket.js'
import type { JobOutput } from '../jobs/read.js'
import { removeJob, unlistJob } from '../jobs/remove.js'
import type { JobStore } from '../jobs/store.js'
import { suiteMaxCharacters } from '../output/profile.js'
import type { ResolvedOptions } from '../run/options.js'
import { type BashResult, type BashStatus, blankResult } from '../run/result.js'
import { reachedLimit } from '../sandbox/reached-limit.js'

interface StartedCall {
  jobId: string
  /** As `performance.now()` counts. */
  deadline: number
  cancel: AbortSignal | undefined
  /** Its time limit, milliseconds. */
  timeoutMs: number
  options: ResolvedOptions
  unfinishedNotice: string
}

type Answer = BashResult & { notice?: string; listening?: readonly ListeningSocket[] }

/** Waits for the job that a command is, and gives its result, or says that it goes on. */
export async function waitForJob(
  store: JobStore,
  started: BashResult,
  { jobId, deadline, cancel, timeoutMs, options, unfinishedNotice }: StartedCall,
): Promise<Answer> {
  // What the call takes, and not the start of the job.
  started.durationMs = 0
  try {
    const { job, shellEnded } = await waitForShell(store, jobId, deadline, cancel)
    if (job.status !== 'running')
      return await settle(store, await jobResult(store, started, job, timeoutMs, options), jobId)
    const output = outputFields(await readJob(store, jobId))
    const { listening } = await store.get(jobId)
    cancel?.throwIfAborted()
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

function hasShellEnded({ record }: Job): boolean {
  // Where that cannot be told, the call waits for the end of everything.
  return record !== null && isAlive(record) === false
}

type OutputFields = Pick<BashResult, 'output' | 'outputBytes' | 'truncated' | 'binary'> &
  Partial<
    Pick<
      BashResult,
      'denied' | 'denials' | 'denialsDropped' | 'protectedChanged' | 'protectedDropped' | 'redacted'
    >
  >

const statuses: Record<Exclude<JobOutput['status'], 'running'>, BashStatus> = {
  completed: 'completed',
  failed: 'failed',
  killed: 'failed',
  timed_out: 'timed_out',
  lost: 'error',
}

/** What a job has printed so far, rendered and bounded as any output of the server. */
async function readJob(store: JobStore, id: string): Promise<JobOutput> {
  return await store.read(id, { maxChars: suiteMaxCharacters, normalizeOutput: true })
}

function outputFields(read: JobOutput): OutputFields {
  const { output, outputBytes, truncated, binary } = read
  const { denied, denials, denialsDropped, protectedChanged, protectedDropped, redacted } = read
  return {
    output,
    outputBytes,
    truncated,
    binary,
    ...(denied !== undefined && { denied }),
    ...(denials !== undefined && { denials }),
    ...(denialsDropped !== undefined && { denialsDropped }),
    ...(protectedChanged !== undefined && { protectedChanged }),
    ...(protectedDropped !== undefined && { protectedDropped }),
    ...(redacted !== undefined && { redacted }),
  }
}

/**
 * @param started the result of starting the job
 * @param job as it has ended
 * @param timeoutMs its time limit
 */
async function jobResult(
  store: JobStore,
  started: BashResult,
  { id, exit, outputFile, droppedBytes, lostBytes }: Job,
  timeoutMs: number,
  options: ResolvedOptions,
): Promise<BashResult> {
  const read = await readJob(store, id)
  const { status, output, exitCode, signal, outputBytes, truncated, error } = read
  const { jobId, outputFile: _, pid: __, pgid: ___, ...common } = started
  const result: BashResult = {
    ...common,
    ...outputFields(read),
    status: status === 'running' ? 'background' : statuses[status],
    exitCode,
    signal,
  }
  if (status === 'timed_out') result.timeoutMs = timeoutMs
  if (error !== undefined) result.error = error
  // As of a command in the foreground: what else it did is not known.
  if (error?.code === 'ERR_SANDBOX_LOST') Object.assign(result, { status: 'error', exitCode: null })
  if (truncated) {
    Object.assign(result, {
      jobId,
      savedOutput: outputFile,
      savedOutputBytes: outputBytes - droppedBytes - lostBytes,
    })
  }
  if (exit !== null) {
    const { userMs, systemMs, maxRssBytes } = exit
    // The portable engine cannot tell, and writes zeros.
    const usage = maxRssBytes > 0 ? { userMs, systemMs, maxRssBytes } : undefined
    result.usage = usage ?? null
    Object.assign(result, reachedLimit(options, { exited: { usage } }, { signal, exitCode, output }))
  }
  return result
}
