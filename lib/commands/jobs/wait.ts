// Waiting for the end of a job that is nobody's child here.

import { constants } from 'node:os'
import { BashError } from '../../base/errors.js'
import { onAbort } from '../../base/util/listeners.js'
import { Changes } from './changes.js'
import { jobPaths } from './directory.js'
import { mayHaveEnded } from './inspect.js'
import type { Job } from './job.js'
import type { ReadJobOptions } from './read.js'

export interface WaitJobOptions {
  /** Milliseconds; then the job is given as it is. 0…2,147,483,647; by default there is no limit. */
  timeoutMs?: number | undefined
  /** Ends the wait, not the job; it rejects with the reason. */
  signal?: AbortSignal | undefined
  /**
   * A regular expression as `filter` of a read: the wait ends when a line of the output matches it, too. Lines are
   * rendered as on a terminal.
   */
  until?: string | undefined
  /** The byte of the output at which `until` begins to look. Default 0. */
  offset?: number | undefined
  /** As of a read: `until` sees what is left. Default true. */
  redact?: ReadJobOptions['redact']
}

/** A job that was waited for. */
export interface WaitedJob extends Job {
  /** The first line that `until` has matched, or its first 500 characters. */
  matched?: string
}

// Where changes are told, a look all the same: for a supervisor that is killed and writes nothing, and for file systems
// that tell nothing of other machines.
const rareLookMs = 2000
// A look takes some 50 µs: even the shortest pause leaves the processor alone.
const firstPauseMs = 10
const longestPauseMs = 500

/**
 * Waits until the job does not run any more, or something has happened, or the time is up. Where the directory of a job can
 * be watched nothing is looked at while the job is silent; elsewhere it looks less and less often.
 *
 * @param look gives the whole state; it is called once, and again when something has changed
 * @param hasHappened what else ends the wait; asked again when there is output
 */
export async function waitForEnd(
  root: string,
  look: () => Promise<Job>,
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: WaitJobOptions,
  hasHappened?: (job: Job, deadline: number) => Promise<boolean>,
): Promise<Job> {
  const deadline = performance.now() + timeoutMs
  signal?.throwIfAborted()
  let job = await look()
  const { directory } = jobPaths(root, job.id)
  let pause = firstPauseMs
  for (;;) {
    const mayWait = job.status === 'running' && performance.now() < deadline
    const changes = mayWait ? new Changes(directory) : undefined
    let isSilent = false
    try {
      // Of what has ended the last words count, too.
      if ((await hasHappened?.(job, deadline)) === true || changes === undefined) {
        return mayWait && mayHaveEnded(root, job) ? await look().catch(unlessTransient(job)) : job
      }
      if (changes.areWatched && !mayHaveEnded(root, job)) {
        const since = performance.now()
        await sleep(rareLookMs, deadline, signal, changes)
        isSilent = changes.seen === undefined
        if (performance.now() - since > longestPauseMs || changes.seen === 'end') pause = firstPauseMs
      }
    } finally {
      changes?.close()
    }
    // Also where something is told: a flood would wake this process for each piece of it.
    if (!isSilent && !mayHaveEnded(root, job)) await sleep(pause, deadline, signal)
    pause = Math.min(pause * 1.5, longestPauseMs)
    if (!mayHaveEnded(root, job)) continue
    job = await look().catch(unlessTransient(job))
    // Its record may be out of reach, or there was no descriptor left.
    if (job.status === 'running') await sleep(pause, deadline, signal)
  }
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

/**
 * Not that of timers/promises: each of its calls listens to the signal by itself.
 *
 * @param deadline ends it sooner
 * @param changes any of which does so, too
 */
async function sleep(
  ms: number,
  deadline: number,
  signal: AbortSignal | undefined,
  changes?: Changes,
): Promise<void> {
  const left = Math.max(0, Math.min(ms, deadline - performance.now()))
  await new Promise<void>((resolve) => {
    let release = () => {}
    const end = () => {
      clearTimeout(timer)
      release()
      resolve()
    }
    const timer = setTimeout(end, left)
    changes?.onNext(end)
    release = onAbort(signal, end)
  })
  signal?.throwIfAborted()
}
