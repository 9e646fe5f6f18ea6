// The lines of a job's output that a filter picks. The file is streamed: it may be larger than memory.

import type { FileHandle } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { part } from '../../base/util/load-part.js'
import { BoundedText } from '../../processes/output/bounded-text.js'
import { type DecodedText, decodeBytes, trimCutEnd } from '../../processes/output/decode.js'
import type * as Redactors from '../../processes/output/redact/redactor.js'
import { normalizeOutput } from '../../processes/output/render.js'
import type { Extent } from './extent.js'
import { type LineFilter, maxLineLength } from './line-filter.js'
import { findInPart } from './redaction.js'
import type { OutputText, TextOptions } from './window.js'

export interface SearchOptions extends TextOptions {
  filter: LineFilter
  /** Milliseconds after which the search stops where it is. */
  timeoutMs: number
  signal: AbortSignal | undefined
}

export interface FoundText extends OutputText {
  /** Bytes after `nextOffset` that time was too short for; 0 when all of the extent was searched. */
  unsearchedBytes: number
}

const chunkBytes = 128 * 1024
/** Enough for one character more than are looked at, and a part of the next. */
const maxLineBytes = 3 * (maxLineLength + 2)
/** The event loop gets a turn that often, milliseconds. */
const sliceMs = 8
const newline = 0x0a

/**
 * Searches the extent line by line. The unfinished last line of a growing file is searched as it is, and `nextOffset`
 * is its start: it is to be looked at again. Longer lines than 65,536 characters are cut there.
 */
export async function searchLines(
  file: FileHandle,
  extent: Extent,
  options: SearchOptions,
): Promise<FoundText> {
  return new Search(file, extent, options).run()
}

/** Bytes of the file, and what of them may be seen: as many lines. */
interface Chunk {
  raw: Buffer
  /** Bytes behind it that may be the beginning of a secret: they are looked at once it is known. */
  heldBytes?: number
  shown(start: number, end: number): Buffer
}

/** Whoever has a redactor has it loaded. */
const redactors = part((): typeof Redactors => require('../../processes/output/redact/redactor.js'))

class Search {
  readonly #file: FileHandle
  readonly #extent: Extent
  readonly #options: SearchOptions
  readonly #found: BoundedText
  readonly #line = new UnfinishedLine(maxLineBytes)
  readonly #deadline: number
  #sliceEnd = 0
  #cutLine = false
  #binary = false
  #isLate = false
  #hasJudged = false
  #heldBytes = 0

  constructor(file: FileHandle, extent: Extent, options: SearchOptions) {
    this.#file = file
    this.#extent = extent
    this.#options = options
    this.#found = new BoundedText(options.maxChars)
    this.#deadline = performance.now() + options.timeoutMs
  }

  async run(): Promise<FoundText> {
    const nextOffset = await this.#searchFile()
    const { text, truncated } = this.#found.result()
    return {
      output: text,
      truncated: truncated || this.#cutLine,
      binary: this.#binary,
      nextOffset,
      heldBytes: this.#heldBytes,
      unsearchedBytes: this.#isLate ? this.#extent.end - nextOffset : 0,
    }
  }

  /** @returns where to go on */
  async #searchFile(): Promise<number> {
    const { start, end } = this.#extent
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, end - start))
    let at = start
    while (at < end) {
      this.#checkTime()
      // Who goes on at `nextOffset` gets on, however short the time is: a part is always searched.
      if (this.#isLate && at > start) return this.#stopBefore(at)
      const length = Math.min(buffer.length, end - at)
      const { bytesRead } = await this.#file.read(buffer, 0, length, at)
      if (bytesRead === 0) break
      const chunk = await this.#redactedChunk(buffer.subarray(0, bytesRead), at)
      const searched = await this.#searchChunk(chunk)
      at += searched
      if (searched < chunk.raw.length) return at
      this.#heldBytes = chunk.heldBytes ?? 0
      if (this.#heldBytes > 0) break
    }
    return this.#finishLastLine(at)
  }

  /** No secret goes on behind it: the next chunk begins with it. */
  async #redactedChunk(bytes: Buffer, from: number): Promise<Chunk> {
    const { redactor, tally } = this.#options
    if (redactor === undefined) return { raw: bytes, shown: (start, end) => bytes.subarray(start, end) }
    const { end, content } = this.#extent
    const to = from + bytes.length
    const { found, unfinished } = await findInPart(this.#file, { from, to }, content, redactor)
    const cut = found.find((each) => each.start > 0 && each.end > bytes.length)
    const isHeld = unfinished < bytes.length && (cut === undefined || unfinished <= cut.start)
    const raw = bytes.subarray(0, isHeld ? unfinished : to < end ? cut?.start : undefined)
    const { replace, splitAtNewlines, within } = redactors()
    const pieces = splitAtNewlines(raw, within(found, 0, raw.length))
    return {
      raw,
      ...(isHeld && { heldBytes: end - from - unfinished }),
      shown: (start, end) => replace(raw.subarray(start, end), within(pieces, start, end), tally),
    }
  }

  /** @returns bytes that were searched, or belong to the line that goes on: fewer than there are when time is up */
  async #searchChunk({ raw, shown }: Chunk): Promise<number> {
    const first = this.#line.length === 0 ? 0 : raw.indexOf(newline) + 1
    if (first > 0) {
      this.#line.append(shown(0, first - 1), first - 1)
      this.#judgeLine('\n')
    }
    const last = raw.lastIndexOf(newline) + 1
    if (last > first) {
      const { lines, binary } = splitLines(shown(first, last))
      this.#binary ||= binary
      for (const [index, line] of lines.entries()) {
        // A promise for each line would take longer than the search.
        if (performance.now() >= this.#sliceEnd) await this.#nextSlice()
        if (this.#isLate && this.#hasJudged) return first + linesLength(raw.subarray(first, last), index)
        this.#judge(line, '\n')
      }
    }
    const rest = Math.max(first, last)
    this.#line.append(shown(rest, raw.length), raw.length - rest)
    return raw.length
  }

  /** @returns where to go on: at the start of the line, unless there would never be time for more than its start */
  #stopBefore(at: number): number {
    const lineStart = at - this.#line.length
    if (lineStart > this.#extent.start) return lineStart
    this.#judgeLine('')
    return at
  }

  /** Judges a line that the end of the extent has left without a newline. @returns where to go on */
  #finishLastLine(end: number): number {
    const { start, ends } = this.#extent
    const { length } = this.#line
    if (length === 0) return end
    // Of a longer one everything that counts has been seen.
    const lineStart = length > maxLineBytes ? end : end - length
    // A reader who asked for less than one line gets it in parts, or would never get on.
    if (ends === 'cut' && lineStart > start && lineStart < end) return lineStart
    this.#judgeLine('')
    return ends === 'growing' ? lineStart : end
  }

  #judgeLine(ending: string): void {
    const { text, binary } = this.#line.take()
    this.#binary ||= binary
    this.#judge(text, ending)
  }

  #judge(raw: string, ending: string): void {
    this.#hasJudged = true
    const isCut = raw.length > maxLineLength
    const line = isCut ? raw.slice(0, maxLineLength) : raw
    // Of progress on several lines it is as many.
    const shown = this.#options.normalizeOutput ? normalizeOutput(line).split('\n') : [line]
    for (const [index, part] of shown.entries()) {
      if (!this.#options.filter(part)) continue
      this.#found.add(part + (index < shown.length - 1 ? '\n' : ending))
      this.#cutLine ||= isCut
    }
  }

  /** Lets other events have their turn. */
  async #nextSlice(): Promise<void> {
    await nextTurn()
    this.#checkTime()
  }

  #checkTime(): void {
    this.#options.signal?.throwIfAborted()
    const now = performance.now()
    this.#sliceEnd = now + sliceMs
    this.#isLate = now >= this.#deadline
  }
}

/** The line that a chunk has left unfinished. Of a longer one only the first `maxBytes` bytes are kept. */
class UnfinishedLine {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #kept = 0
  #length = 0
  #isCut = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Bytes of the line so far, also those that were not kept. */
  get length(): number {
    return this.#length
  }

  /**
   * @param bytes copied, so that the caller may reuse the memory
   * @param length of them in the file
   */
  append(bytes: Buffer, length: number): void {
    const part = bytes.subarray(0, this.#maxBytes - this.#kept)
    if (part.length > 0) this.#parts.push(Buffer.from(part))
    this.#kept += part.length
    this.#isCut ||= part.length < bytes.length
    this.#length += length
  }

  /** What was kept of the line. The next one begins. */
  take(): DecodedText {
    const bytes = Buffer.concat(this.#parts)
    const decoded = decodeBytes(this.#isCut ? trimCutEnd(bytes) : bytes)
    this.#parts = []
    this.#isCut = false
    this.#kept = 0
    this.#length = 0
    return decoded
  }
}

/** The lines of `bytes`, which end with a newline. */
function splitLines(bytes: Buffer): { lines: string[]; binary: boolean } {
  const { text, binary } = decodeBytes(bytes.subarray(0, -1))
  return { lines: text.split('\n'), binary }
}

/** The number of bytes that the first `count` lines of `bytes` take, newlines included. */
function linesLength(bytes: Buffer, count: number): number {
  let length = 0
  for (let i = 0; i < count; i++) length = bytes.indexOf(newline, length) + 1
  return length
}
