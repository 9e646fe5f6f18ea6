// The bash profile's bound on output: first and last 4 KiB of what exceeds 128 KiB.

import type { Cut } from './bounded-text.js'
import { humanizeBytes } from './bytes.js'
import {
  type CapturedStream,
  decodeBytes,
  decodeStream,
  isBinary,
  joinBytes,
  missingBytes,
  trimCutEnd,
  trimCutStart,
} from './decode.js'

/** Output up to and including this many bytes is given whole. REQ-BASH-001 (docs/requirements.md). */
export const maxOutputBytes = 128 * 1024
/** Bytes kept at each end of longer output. */
export const keptOutputBytes = 4 * 1024

/** A cut is moved to the end of a line that is no further away, in bytes. */
export const lineReach = 512

/** What stands for the middle that was cut out. */
export const snip = '\n\n[snip]\n\n'

export interface TruncateOptions {
  /** Bytes of output that are still given whole. Default {@link maxOutputBytes}. */
  maxBytes?: number
  /** Bytes kept at each end of longer output. Default {@link keptOutputBytes}. */
  keepBytes?: number
  /**
   * Applied to the text before it is measured and cut, to each side of a gap on its own. Usually `normalizeOutput`.
   * Default: the text as it is.
   */
  render?: (text: string) => string
}

export interface BoundedOutput {
  /** The whole output, or its first and last bytes around `\n\n[snip]\n\n`. Without the line of {@link truncationNotice}. */
  text: string
  truncated: boolean
  /** Whether anything that was captured, also where it is not shown, has a NUL or is not UTF-8. */
  binary: boolean
  /** Characters of the two parts. Undefined: the text is whole, or has only a beginning. */
  cut?: Cut
}

/**
 * Cuts the middle out of output longer than `maxBytes`, on character boundaries. A capture with a gap is cut whatever
 * its size. Sizes are those of the output's bytes: a NUL or an invalid byte is one byte, though its replacement takes
 * three in UTF-8.
 */
export function truncateMiddle(stream: CapturedStream, options: TruncateOptions = {}): BoundedOutput {
  const { maxBytes = maxOutputBytes, keepBytes = keptOutputBytes, render } = options
  if (render !== undefined) {
    const { rendered, binary } = renderStream(stream, render)
    return { ...truncateMiddle(rendered, { maxBytes, keepBytes }), binary }
  }
  const whole = missingBytes(stream) === 0 ? joinBytes(stream) : undefined
  // What was printed decides, as it does about a file: marks in the place of secrets are no reason to cut, or not to.
  if (whole !== undefined && (stream.printed ?? whole.length) <= maxBytes) {
    const { text, binary } = decodeBytes(whole)
    return { text, truncated: false, binary }
  }
  const head = whole ?? stream.head
  const tail = whole ?? stream.tail
  const first = trimCutEnd(head.subarray(0, lineEndFrom(head, keepBytes)))
  const lastStart = Math.max(lineStartUpTo(tail, tail.length - keepBytes), whole ? first.length : 0)
  const last = trimCutStart(tail.subarray(lastStart))
  const parts = [decodeBytes(first).text, decodeBytes(last).text] as const
  return {
    text: parts[0] + snip + parts[1],
    truncated: true,
    cut: { first: parts[0].length, last: parts[1].length },
    binary:
      whole === undefined ? isBinary(trimCutEnd(head)) || isBinary(trimCutStart(tail)) : isBinary(whole),
  }
}

/** The end of the line that `at` lies in, or `at` when that is far away. */
function lineEndFrom(bytes: Buffer, at: number): number {
  if (at <= 0 || bytes[at - 1] === newline) return at
  const end = bytes.indexOf(newline, at)
  return end === -1 || end > at + lineReach ? at : end
}

/** Likewise the start of the line. */
function lineStartUpTo(bytes: Buffer, at: number): number {
  if (at <= 0) return 0
  const start = bytes.lastIndexOf(newline, at - 1) + 1
  return start < at - lineReach || start === 0 ? at : start
}

const newline = 0x0a

/** The line above truncated output: `[output truncated in middle: got 3.0MB, max is 128.0KB]`. */
export function truncationNotice(totalBytes: number, maxBytes: number = maxOutputBytes): string {
  return `[output truncated in middle: got ${humanizeBytes(totalBytes)}, max is ${humanizeBytes(maxBytes)}]`
}

function renderStream(
  stream: CapturedStream,
  render: (text: string) => string,
): { rendered: CapturedStream; binary: boolean } {
  const decoded = decodeStream(stream)
  const head = Buffer.from(render(decoded.head))
  const tail = Buffer.from(render(fromLineStart(decoded.tail)))
  return {
    rendered: { head, tail, total: head.length + tail.length + decoded.missingBytes },
    binary: decoded.binary,
  }
}

/**
 * Text after a gap may begin inside an escape sequence, whose rest would be shown as text. The next line is sure to
 * begin outside one; a line so long that skipping it costs half of the text is kept.
 */
export function fromLineStart(text: string): string {
  const newline = text.indexOf('\n')
  return newline < text.length / 2 ? text.slice(newline + 1) : text
}
