// Waiting for the end of a job that is nobody's child here.

import { constants } from 'node:os'
import { BashError } from '../errors.js'
import { onAbort } from '../util/listeners.js'
import { type Job, mayHaveEnded } from './inspect.js'

export interface WaitJobOptions {
  /** Milliseconds; then the job is given as it is. 0…2,147,483,647; by default there is no limit. */
  timeoutMs?: number | undefined
  /** Ends the wait, not the job; it rejects with the reason. */
  signal?: AbortSignal | undefined
}

// A look takes some 50 µs: even the shortest pause leaves the processor alone.
const firstPauseMs = 10
const longestPauseMs = 500

/**
 * Looks again and again, less and less often, until the job does not run any more or the time is up.
 *
 * @param look gives the whole state; it is called once, and again when something has changed
 */
export async function waitForEnd(
  root: string,
  look: () => Promise<Job>,
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitJobOptions,
): Promise<Job> {
  const deadline = performance.now() + timeoutMs
  signal?.throwIfAborted()
  let job = await look()
  let pause = firstPauseMs
  while (job.status === 'running') {
    const left = deadline - performance.now()
    if (left <= 0) break
    await sleep(Math.min(pause, left), signal)
    if (mayHaveEnded(root, job)) job = await look().catch(unlessTransient(job))
    pause = Math.min(pause * 1.5, longestPauseMs)
  }
  return job
}

/** What has no descriptor or memory left at this moment looks again with the next round. */
function unlessTransient(job: Job): (error: unknown) => Job {
  return (error) => {
    if (BashError.isInstance(error) && transient.has(error.errno)) return job
    throw error
  }
}

const { EAGAIN, EMFILE, ENFILE, ENOMEM } = constants.errno
const transient: ReadonlySet<number | undefined> = new Set([EAGAIN, EMFILE, ENFILE, ENOMEM])

/** Not that of timers/promises: each of its calls listens to the signal by itself. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    let release = () => {}
    const end = () => {
      clearTimeout(timer)
      release()
      resolve()
    }
    const timer = setTimeout(end, ms)
    release = onAbort(signal, end)
  })
  signal?.throwIfAborted()
}
