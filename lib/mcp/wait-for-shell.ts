// Waiting for the bash of a job. The job lasts as long as anything that it has started; the call that started it does
// not have to.

import { isAlive } from '../jobs/identity.js'
import type { Job } from '../jobs/inspect.js'
import type { JobStore } from '../jobs/store.js'

export interface Waited {
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
export async function waitForShell(
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
