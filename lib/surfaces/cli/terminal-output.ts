// The output of a command for a person who watches: as it comes, with a marker where it came too fast to be shown.

import type { OutputEvent } from '../../commands/run/result.js'
import { humanizeBytes } from '../../processes/output/bytes.js'
import { trimCutStart } from '../../processes/output/decode.js'
import { keptOutputBytes } from '../../processes/output/truncate.js'
import { maxBacklogBytes, type OutputView, type ResultText, type TextSink } from './stdio.js'

export class TerminalOutput implements OutputView {
  readonly #sink: TextSink
  readonly #paint: (marker: string) => string
  /** UTF-16 units written so far. */
  #written = 0
  /** Bytes missing after what was written last. */
  #gap = 0
  #hasMarkers = false
  #endsLine = true

  /** @param paint how a marker looks */
  constructor(sink: TextSink, paint: (marker: string) => string = (marker) => marker) {
    this.#sink = sink
    this.#paint = paint
  }

  get endsLine(): boolean {
    return this.#endsLine
  }

  show({ text, dropped }: OutputEvent): void {
    this.#gap += dropped
    if (text === '') return
    if (this.#sink.writableLength > maxBacklogBytes) {
      this.#gap += Buffer.byteLength(text)
      return
    }
    this.#markGap()
    this.#write(text)
  }

  /** Writes what is missing at the end: all of it when nothing else is missing, otherwise up to 4 KiB. */
  async end({ output, truncated, tail }: ResultText): Promise<number> {
    if (truncated || this.#hasMarkers) this.#writeEnd(truncated ? tail : output)
    else if (this.#gap > 0) this.#write(output.slice(this.#written))
    return Number.POSITIVE_INFINITY
  }

  #writeEnd(text: string): void {
    if (this.#gap === 0) return
    const end = Buffer.from(text)
    const length = Math.min(this.#gap, keptOutputBytes)
    const missing = trimCutStart(end.subarray(Math.max(end.length - length, 0)))
    this.#gap -= missing.length
    this.#markGap()
    this.#write(missing.toString())
  }

  #markGap(): void {
    if (this.#gap <= 0) return
    const marker = this.#paint(`[... ${humanizeBytes(this.#gap)} skipped ...]`)
    this.#sink.write(`${this.#endsLine ? '' : '\n'}${marker}\n`)
    this.#endsLine = true
    this.#hasMarkers = true
    this.#gap = 0
  }

  #write(text: string): void {
    if (text === '') return
    this.#sink.write(text)
    this.#written += text.length
    this.#endsLine = text.endsWith('\n')
  }
}
