// The screen of a job, drawn from its log, and drawn on as that grows.

import type { FileHandle } from 'node:fs/promises'
import { part } from '../../../base/util/load-part.js'
import { endOfContent, readBytes } from '../../../commands/jobs/extent.js'
import type { Job } from '../../../commands/jobs/job.js'
import { openOutput } from '../../../commands/jobs/read.js'
import { maxReplayBytes } from '../../../terminals/terminal/limits.js'
import type { LiveScreen } from '../../../terminals/terminal/live-screen.js'
import type { ScreenParts, Step } from '../../../terminals/terminal/orders.js'
import type { ScreenAnswer } from '../../../terminals/terminal/screen.js'
import type * as Screens from '../../../terminals/terminal/screens.js'
import { TerminalTracker } from '../../../terminals/terminal/tracker.js'

/** How the job is. */
export interface JobNow {
  /** Null while it runs: once it has ended, its log ends with the supervisor's last words. */
  exit: Job['exit']
  /** Whether its supervisor has seen a program switch to the alternate screen. Undefined: not known (any more). */
  altScreen: boolean | undefined
}

export interface JobSize {
  rows: number
  cols: number
}

/** Of more that has come, only what the screen shows is drawn: a job may print faster than anybody draws. */
const maxDrawnOn = 512 * 1024
/** What lies further back in a log is not looked at: that would take long. */
const maxTracked = 16 * 1024 * 1024
const pieceBytes = 1024 * 1024
/** Between two attempts to draw what could not be drawn in time, milliseconds. */
const retryMs = 2000

/** A wide character has to have room. */
const minColumns = 2

/** Ends what the terminal is in the middle of, and sets everything back. */
const reset = Buffer.from('\x18\x1bc')

const screens = part((): typeof Screens => require('../../../terminals/terminal/screens.js'))

/** To be closed. One call at a time. */
export class GrowingScreen {
  readonly #file: FileHandle
  #size: JobSize
  readonly #tracker = new TerminalTracker()
  #live: LiveScreen | undefined
  /** Whether the screen has to be drawn anew. */
  #isStale = true
  #retryAt = 0
  /** Whether there is output that has not been looked at. */
  #isSkipped = false

  private constructor(file: FileHandle, size: JobSize) {
    this.#file = file
    this.#size = size
  }

  /** @throws {BashError} ERR_JOB_DIRECTORY, as a rejection */
  static async open(outputFile: string, size: JobSize): Promise<GrowingScreen> {
    return new GrowingScreen(await openOutput(outputFile), size)
  }

  /** Bytes of the log that have been looked at. */
  get offset(): number {
    return this.#tracker.offset
  }

  /** The terminal has another size: what it shows is drawn anew. */
  resize(size: JobSize): void {
    if (size.rows === this.#size.rows && size.cols === this.#size.cols) return
    this.#size = size
    this.#isStale = true
  }

  /**
   * Draws what has come.
   *
   * @returns undefined: nothing has
   */
  async draw(now: JobNow, parts: ScreenParts): Promise<ScreenAnswer | undefined> {
    const from = this.#tracker.offset
    const end = Math.max(from, await endOfContent(this.#file, now))
    if (end === from && !this.#isStale) return undefined
    const isFew = end - from <= maxDrawnOn
    const bytes = isFew ? await readBytes(this.#file, from, end) : undefined
    if (bytes === undefined) await this.#track(end)
    else this.#tracker.write(bytes)
    if (Date.now() < this.#retryAt) return undefined
    const isDrawnOn = bytes !== undefined && !this.#isStale && this.#live !== undefined
    return isDrawnOn ? await this.#give([{ bytes }], parts) : await this.#drawAnew(now, parts)
  }

  async close(): Promise<void> {
    await Promise.all([this.#live?.close(), this.#file.close()])
    this.#live = undefined
  }

  async #track(end: number): Promise<void> {
    const tracker = this.#tracker
    if (end - tracker.offset > maxTracked) {
      tracker.skip(end - maxTracked - tracker.offset)
      this.#isSkipped = true
    }
    while (tracker.offset < end) {
      const piece = await readBytes(this.#file, tracker.offset, Math.min(end, tracker.offset + pieceBytes))
      // The file has become shorter.
      if (piece.length === 0) return
      tracker.write(piece)
    }
  }

  async #drawAnew({ altScreen }: JobNow, parts: ScreenParts): Promise<ScreenAnswer> {
    const start = this.#tracker.replayStart()
    const { offset } = start
    // It was switched to in what has not been looked at.
    const wasAlternate = this.#isSkipped && altScreen === true && !this.#tracker.alternate
    const alternate = start.alternate || wasAlternate
    const incomplete = start.incomplete || wasAlternate
    // Some room for what comes before it.
    const from = Math.max(offset, this.#tracker.offset - (maxReplayBytes - 1024))
    const bytes = await readBytes(this.#file, from, this.#tracker.offset)
    const { LiveScreen, planSteps } = screens()
    const { steps } = planSteps({ bytes, offset: from, alternate, incomplete })
    const size = { rows: this.#size.rows, columns: Math.max(minColumns, this.#size.cols) }
    const before: Step[] = this.#live === undefined ? [] : [{ bytes: reset }, size]
    this.#live ??= new LiveScreen(size)
    const answer = await this.#give([...before, ...steps], parts)
    return 'unavailable' in answer ? answer : { ...answer, incomplete }
  }

  async #give(steps: readonly Step[], parts: ScreenParts): Promise<ScreenAnswer> {
    const answer = (await this.#live?.draw(steps, parts)) as ScreenAnswer
    this.#isStale = 'unavailable' in answer
    if (this.#isStale) {
      this.#retryAt = Date.now() + retryMs
      await this.#live?.close()
      this.#live = undefined
    }
    return answer
  }
}
