// The result of a call whose command was a job when it ended: what a foreground command would have given.

import type { Job } from '../../commands/jobs/job.js'
import type { JobOutput } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { ResolvedOptions } from '../../commands/run/resolved-options.js'
import type { BashResult, BashStatus } from '../../commands/run/result.js'
import { reachedLimit } from '../../guard/sandbox/reached-limit.js'

type OutputFields = Pick<BashResult, 'output' | 'outputBytes' | 'truncated' | 'binary' | 'readable'> &
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
export async function readJob(
  store: JobStore,
  id: string,
  { output: { maxWholeText: maxChars } }: ResolvedOptions,
): Promise<JobOutput> {
  return await store.read(id, { maxChars, normalizeOutput: true })
}

export function outputFields(read: JobOutput): OutputFields {
  const { output, outputBytes, truncated, binary, readable } = read
  const { denied, denials, denialsDropped, protectedChanged, protectedDropped, redacted } = read
  return {
    output,
    outputBytes,
    truncated,
    binary,
    ...(readable !== undefined && { readable }),
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
export async function jobResult(
  store: JobStore,
  started: BashResult,
  { id, exit, outputFile, droppedBytes, lostBytes }: Job,
  timeoutMs: number,
  options: ResolvedOptions,
): Promise<BashResult> {
  const read = await readJob(store, id, options)
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
