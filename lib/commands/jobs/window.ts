// The output of a job as text: whole when it is short, otherwise its beginning and its end.

import type { FileHandle } from 'node:fs/promises'
import { part } from '../../base/util/load-part.js'
import { BoundedText } from '../../processes/output/bounded-text.js'
import { type CapturedStream, decodeBytes, trimCutEnd, trimCutStart } from '../../processes/output/decode.js'
import type * as Encodings from '../../processes/output/encodings/readable.js'
import type { Found } from '../../processes/output/redact/found.js'
import type * as Redactors from '../../processes/output/redact/redactor.js'
import type { Redactor, Tally } from '../../processes/output/redact/redactor.js'
import { normalizeOutput } from '../../processes/output/render.js'
import { fromLineStart } from '../../processes/output/truncate.js'
import { type Extent, readBytes, withoutUnfinishedSequence } from './extent.js'
import { findInPart } from './redaction.js'

export interface TextOptions {
  /** Characters of text, at most. */
  maxChars: number
  normalizeOutput: boolean
  /** Takes secrets out before anything else looks at the text. */
  redactor?: Redactor | undefined
  /** Of what it has taken out. */
  tally?: Tally | undefined
}

export interface OutputText {
  output: string
  /** Whether `output` leaves out anything of the part that was asked for. */
  truncated: boolean
  /** Whether what was looked at contains NUL bytes or is not UTF-8. */
  binary: boolean
  /** What texts show of it. */
  readable?: Encodings.Readable
  nextOffset: number
  /** Bytes before the end that were asked for, and that are given once it is known that no secret begins with them. */
  heldBytes?: number
}

/** What is read at each end of a long output. Escape sequences and progress lines take bytes, but leave no text. */
const leastWindow = 256 * 1024

/** Reads at most two windows, whatever the size of the file. */
export async function readWindow(
  file: FileHandle,
  { start, end, ends, content }: Extent,
  { maxChars, normalizeOutput: normalize, redactor, tally }: TextOptions,
): Promise<OutputText> {
  // Half of the characters from each end, three bytes for each at most (a surrogate pair takes four).
  const window = Math.max(leastWindow, 2 * maxChars)
  const isShort = end - start <= 2 * window
  const head = await readBytes(file, start, isShort ? end : start + window)
  const tail = isShort ? undefined : await readBytes(file, end - window, end)

  const last = tail ?? head
  const from = tail === undefined ? start : end - window
  const finished = ends === 'complete' || !normalize ? last : withoutUnfinishedSequence(last)
  const find = async (part: { from: number; to: number }) =>
    redactor && (await findInPart(file, part, content, redactor))
  const secrets = await find({ from, to: from + last.length })
  // A cut in the middle of one endless sequence would lead nowhere; a growing file is only read again later.
  const whole = finished.length === 0 && ends === 'cut' ? last : finished
  const kept = whole.subarray(0, secrets?.unfinished)
  const nextOffset = end - (last.length - kept.length)
  const heldBytes = whole.length - kept.length

  const replaced = (part: Buffer, found: readonly Found[] = []) =>
    found.length === 0 ? part : redactors().replace(part, redactors().within(found, 0, part.length), tally)
  const ofHead = tail && (await find({ from: start, to: start + window }))
  const shown = replaced(kept, secrets?.found)
  const [first = empty, second] =
    tail === undefined ? [shown] : [trimCutEnd(replaced(head, ofHead?.found)), trimCutStart(shown)]
  const bound = (parts: readonly string[]) => {
    const text = new BoundedText(maxChars)
    parts.forEach((part, index) => {
      if (index > 0) text.skip(end - start - 2 * window)
      const toRender = index > 0 && normalize ? fromLineStart(part) : part
      text.add(normalize ? normalizeOutput(toRender) : toRender)
    })
    return text.result()
  }
  const decoded = second === undefined ? [decodeBytes(first)] : [decodeBytes(first), decodeBytes(second)]
  const { text: output, truncated } = bound(decoded.map(({ text }) => text))
  const binary = decoded.some((part) => part.binary)
  const text = { output, truncated, binary, nextOffset, heldBytes }
  if (!binary) return text
  // How a text is encoded stands at its beginning.
  const mark = start === 0 ? empty : await readBytes(file, 0, 2)
  const isUtf16 = encodings().orderAt(mark) !== undefined
  // Of the newline before it, the second half.
  const all = isUtf16 ? Buffer.concat([mark, first.subarray(start % 2)]) : first
  const stream = { head: all, tail: second ?? empty, total: all.length + (second?.length ?? 0) }
  if (second !== undefined) stream.total += end - start - 2 * window
  const hide: Encodings.Hide | undefined =
    redactor &&
    ((part, { isBehindGap, isBeforeGap }) => {
      // What is around it is not decoded.
      const edges = { isBehindGap: isBehindGap || start > 0, isBeforeGap: isBeforeGap || ends !== 'complete' }
      return redactors().withoutFound(part, redactor, edges, tally)
    })
  const toText = ({ head, tail }: CapturedStream) =>
    bound((tail.length === 0 ? [head] : [head, tail]).map((bytes) => bytes.toString())).text
  const readable = encodings().readable(stream, toText, hide)
  return readable === undefined ? text : { ...text, readable }
}

const empty = Buffer.alloc(0)
const encodings = part((): typeof Encodings => require('../../processes/output/encodings/readable.js'))

/** Whoever has a redactor has it loaded. */
const redactors = part((): typeof Redactors => require('../../processes/output/redact/redactor.js'))
