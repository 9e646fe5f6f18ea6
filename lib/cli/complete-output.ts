// The output of a command for a pipe or a file: complete, and the same whatever the timing. The live view skips what
// comes too fast. From the first gap on, the text comes from where all of it is kept: the result or, when there is more
// than a result gives, the file of the option saveOutput, which is read while it grows.

import { setTimeout as delay } from 'node:timers/promises'
import type { OutputEvent } from '../run/result.js'
import { maxBacklogBytes, type OutputView, type ResultText } from './output-view.js'
import type { SavedOutput } from './saved-output.js'
import { type TextSink, writeText } from './stdio.js'

export interface CompleteOutputOptions {
  /**
   * Bytes from the start that are the same in the live view and in the result, at most: of more only the result tells
   * what the reader gets. Default: all of them.
   */
  liveBytes?: number
  /** Where output goes that is longer than a result gives it. */
  saved?: SavedOutput | undefined
  /** Once aborted, a reader that does not read is not waited for. */
  signal?: AbortSignal | undefined
}

/** Between two looks at the growing file, milliseconds. */
const pauseMs = 50

/** Longer output may have more than is seen of it: the live view tells of a gap only together with what follows it. */
const surelyAllBytes = 60 * 1024

export class CompleteOutput implements OutputView {
  readonly #sink: TextSink
  readonly #liveBytes: number
  readonly #saved: SavedOutput | undefined
  readonly #signal: AbortSignal | undefined
  readonly #ended = new AbortController()
  /** UTF-16 units written from the live view. */
  #written = 0
  /** At least as many bytes has the output had: what replaces a NUL or invalid bytes is never shorter than they. */
  #writtenBytes = 0
  #isBehind = false
  #following: Promise<void> | undefined
  #endsLine = true

  constructor(
    sink: TextSink,
    { liveBytes = Number.POSITIVE_INFINITY, saved, signal }: CompleteOutputOptions,
  ) {
    this.#sink = sink
    this.#liveBytes = liveBytes
    this.#saved = saved
    this.#signal = signal
  }

  get endsLine(): boolean {
    return this.#endsLine
  }

  show({ text, dropped }: OutputEvent): void {
    if (this.#isBehind) return
    const bytes = this.#writtenBytes + Buffer.byteLength(text)
    if (dropped > 0 || bytes > this.#liveBytes || this.#sink.writableLength > maxBacklogBytes) {
      this.#isBehind = true
    } else {
      this.#written += text.length
      this.#writtenBytes = bytes
      this.#note(text)
      this.#sink.write(text)
    }
    if ((this.#isBehind || bytes > surelyAllBytes) && this.#following === undefined) {
      this.#following = this.#follow()
      // Its failure is told by end(), and until then nobody waits for it.
      this.#following.catch(() => {})
    }
  }

  async end({ output, truncated }: ResultText): Promise<number> {
    this.#ended.abort()
    await this.#following
    if (!truncated || this.#saved === undefined) {
      const rest = output.slice(this.#written)
      this.#note(rest)
      const isTaken = await writeText(this.#sink, rest, this.#signal)
      return isTaken ? Number.POSITIVE_INFINITY : this.#writtenBytes
    }
    if (!this.#isBehind) return Number.POSITIVE_INFINITY
    return Math.max(this.#writtenBytes, this.#saved.copiedBytes)
  }

  /** Copies the file, if there comes to be one; what it has at the end of the command is all there will be. */
  async #follow(): Promise<void> {
    const saved = this.#saved
    if (saved === undefined) return
    // What the live view has given is at the start of the file.
    let skip: number | undefined
    const write = async (text: string) => {
      skip ??= this.#written
      const rest = text.slice(skip)
      skip -= text.length - rest.length
      if (rest === '') return true
      this.#note(rest)
      return await writeText(this.#sink, rest, this.#signal)
    }
    for (;;) {
      const isLast = this.#ended.signal.aborted
      if (saved.hasBegun()) {
        this.#isBehind = true
        if (!(await saved.copy(write, isLast))) return
      }
      if (isLast) return
      await delay(pauseMs, undefined, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  #note(text: string): void {
    if (text !== '') this.#endsLine = text.endsWith('\n')
  }
}
