// Jobs that have printed nothing since they were read before: what they wait for.

import type { JobOutput, ReadJobOptions } from '../../commands/jobs/read.js'
import type { JobStore } from '../../commands/jobs/store.js'
import type { WaitingFor } from '../../terminals/explain/waiting-for.js'

/** Jobs that are remembered. */
const maxJobs = 1_000
/** Milliseconds: that nothing comes between two reads in a row means nothing. */
const quietMs = 1_000

export class QuietJobs {
  /** How much each had printed when it was last read, and since when it is known to be that much. */
  readonly #read = new Map<string, { bytes: number; since: number }>()

  /**
   * To be called with each read of a job.
   *
   * @returns undefined unless the job runs and has printed nothing since then
   */
  async explain(
    store: JobStore,
    id: string,
    { offset, redact }: Pick<ReadJobOptions, 'offset' | 'redact'>,
    { status, outputBytes }: Pick<JobOutput, 'status' | 'outputBytes'>,
  ): Promise<WaitingFor[] | undefined> {
    const before = this.#read.get(id)
    this.#read.delete(id)
    if (status !== 'running') return undefined
    const now = performance.now()
    const since = before?.bytes === outputBytes ? before.since : now
    this.#read.set(id, { bytes: outputBytes, since })
    const [oldest = id] = this.#read.keys()
    if (this.#read.size > maxJobs) this.#read.delete(oldest)
    // What was read by an earlier process is known by its offset alone.
    const isReadOn = before === undefined && offset !== undefined && offset > 0 && offset >= outputBytes
    if (!isReadOn && now - since < quietMs) return undefined
    try {
      const waiting = await store.explain(id, { redact })
      return waiting.length === 0 ? undefined : waiting
    } catch {
      // What it has printed is worth more than why it prints no more.
      return undefined
    }
  }
}
