// Whether a line of a job's output matches: asked again and again while there is more of it.

import { statSync } from 'node:fs'
import type { Job } from './job.js'
import { checkReadOptions, readOutput } from './read.js'
import type { WaitJobOptions } from './wait.js'

/** Of a line that is told. */
const maxLineChars = 500
/** That one look takes at most, also when the time is up, milliseconds: who does not wait asks about what is there. */
const lookMs = 1_000

/** Looks at each line of an output once, from a byte of it on; at one that goes on, again. */
export class LineSearch {
  /** The first line that matched. */
  line: string | undefined
  readonly #options: ReturnType<typeof checkReadOptions>
  /** What was looked at: an output that has not grown has nothing new, unless its last line is complete by its end. */
  #lookedAt = ''

  /** @throws {BashError} ERR_INVALID_FILTER, ERR_INVALID_INPUT */
  constructor(pattern: string, { offset, redact, signal }: WaitJobOptions) {
    const fields = {
      filter: pattern,
      offset,
      redact,
      signal,
      normalizeOutput: true,
      maxChars: 4 * maxLineChars,
    }
    this.#options = checkReadOptions(fields, 'until')
  }

  /**
   * @param deadline as `performance.now()` counts
   * @returns whether there is such a line
   * @throws {BashError} ERR_JOB_DIRECTORY; the reason of the signal
   */
  async isFound(job: Job, deadline: number): Promise<boolean> {
    const state = `${job.status} ${sizeOf(job.outputFile)}`
    if (state === this.#lookedAt) return false
    const left = Math.min(Math.max(deadline - performance.now(), lookMs), this.#options.filterTimeoutMs)
    const read = await readOutput(job, { ...this.#options, filterTimeoutMs: left })
    this.#options.offset = read.nextOffset
    if (read.unsearchedBytes === 0) this.#lookedAt = state
    // Nothing that is empty matches: a line has its end, unless it is the last.
    if (read.output === '') return false
    this.line = read.output.slice(0, maxLineChars).split('\n', 1)[0] ?? ''
    return true
  }
}

/** -1 where it cannot be told: reading it says why. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return -1
  }
}
