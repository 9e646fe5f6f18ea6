// Bytes become lines, chunk by chunk, without ever holding more than a bounded part of one line.

import { type DecodedText, decodeBytes, trimCutEnd } from '../output/decode.js'

const newline = 0x0a

/** The line that a chunk has left unfinished. Of a longer one only the first `maxBytes` bytes are kept. */
export class UnfinishedLine {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #kept = 0
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the line so far, also those that were not kept. */
  get length(): number {
    return this.#length
  }

  /** @param bytes copied, so that the caller may reuse the memory */
  append(bytes: Buffer): void {
    const part = bytes.subarray(0, this.#maxBytes - this.#kept)
    if (part.length > 0) this.#parts.push(Buffer.from(part))
    this.#kept += part.length
    this.#length += bytes.length
  }

  /** What was kept of the line. The next one begins. */
  take(): DecodedText {
    const bytes = Buffer.concat(this.#parts)
    const decoded = decodeBytes(this.#kept < this.#length ? trimCutEnd(bytes) : bytes)
    this.#parts = []
    this.#kept = 0
    this.#length = 0
    return decoded
  }
}

/** The lines of `bytes`, which end with a newline. */
export function splitLines(bytes: Buffer): { lines: string[]; binary: boolean } {
  const { text, binary } = decodeBytes(bytes.subarray(0, -1))
  return { lines: text.split('\n'), binary }
}

/** The number of bytes that the first `count` lines of `bytes` take, newlines included. */
export function linesLength(bytes: Buffer, count: number): number {
  let length = 0
  for (let i = 0; i < count; i++) length = bytes.indexOf(newline, length) + 1
  return length
}
