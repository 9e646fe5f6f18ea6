// The output of a command, written as it comes. The engine's live view skips what comes too fast; the result, which
// knows the whole of short output and the end of any, fills in what it can.

import { humanizeBytes } from '../output/bytes.js'
import { trimCutStart } from '../output/decode.js'
import { maxOutputBytes, snip } from '../output/truncate.js'
import type { BashResult, OutputEvent } from '../result.js'

/** Text that waits for a slow reader, bytes; beyond it output is skipped, so that memory stays bounded. */
const maxBacklogBytes = 16 * 1024 * 1024

/** A `Writable`, as far as it is needed. */
export interface TextSink {
  write(text: string): unknown
  /** Bytes that wait to be passed on. */
  readonly writableLength: number
}

export interface StreamedOutputOptions {
  /**
   * `'now'`: what comes after a gap is written at once, which a person who watches expects. `'late'`: it is held back
   * while the whole output may still turn out to be in the result, so that output of up to 128 KiB is always complete.
   */
  gaps: 'now' | 'late'
  /** How a marker looks. Default: as it is. */
  paint?: (marker: string) => string
}

export class StreamedOutput {
  readonly #sink: TextSink
  readonly #paint: (marker: string) => string
  #hold: boolean
  #held: OutputEvent[] = []
  /** At least as many bytes as this has the output had: no byte makes more than one UTF-16 unit. */
  #minimumBytes = 0
  /** UTF-16 units written so far. */
  #written = 0
  /** Bytes missing after what was written last. */
  #gap = 0
  #skippedBytes = 0
  #endsLine = true

  constructor(sink: TextSink, { gaps, paint = (marker) => marker }: StreamedOutputOptions) {
    this.#sink = sink
    this.#paint = paint
    this.#hold = gaps === 'late'
  }

  /** Bytes that a marker stands for. */
  get skippedBytes(): number {
    return this.#skippedBytes
  }

  /** Whether the next character begins a line. */
  get endsLine(): boolean {
    return this.#endsLine
  }

  show(event: OutputEvent): void {
    const piece = this.#sink.writableLength > maxBacklogBytes ? withoutText(event) : event
    this.#minimumBytes += piece.text.length + piece.dropped
    if (!this.#hold || (piece.dropped === 0 && this.#held.length === 0)) {
      this.#put(piece)
      return
    }
    this.#held.push(piece)
    if (this.#minimumBytes > maxOutputBytes) this.#release()
  }

  /** Writes what is still missing: all of it when the result has it all, else the output's last 4 KiB. */
  end({ output, truncated }: BashResult): void {
    if (!truncated && this.#skippedBytes === 0) {
      this.#write(output.slice(this.#written))
      return
    }
    this.#release()
    if (this.#gap === 0) return
    const end = Buffer.from(truncated ? output.slice(output.lastIndexOf(snip) + snip.length) : output)
    const missing = trimCutStart(end.subarray(Math.max(end.length - this.#gap, 0)))
    this.#gap -= missing.length
    this.#markGap()
    this.#write(missing.toString())
  }

  /** Nothing is held back from now on. */
  #release(): void {
    this.#hold = false
    for (const piece of this.#held.splice(0)) this.#put(piece)
  }

  #put({ text, dropped }: OutputEvent): void {
    this.#gap += dropped
    if (text === '') return
    this.#markGap()
    this.#write(text)
  }

  #markGap(): void {
    if (this.#gap <= 0) return
    const marker = this.#paint(`[... ${humanizeBytes(this.#gap)} skipped ...]`)
    this.#sink.write(`${this.#endsLine ? '' : '\n'}${marker}\n`)
    this.#endsLine = true
    this.#skippedBytes += this.#gap
    this.#gap = 0
  }

  #write(text: string): void {
    if (text === '') return
    this.#sink.write(text)
    this.#written += text.length
    this.#endsLine = text.endsWith('\n')
  }
}

function withoutText({ text, dropped, ...event }: OutputEvent): OutputEvent {
  return { ...event, text: '', dropped: dropped + Buffer.byteLength(text) }
}
