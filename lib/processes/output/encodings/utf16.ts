// UTF-16, as programs of Windows and PowerShell write it: what begins with a byte order mark is decoded.

import { trimCutEnd } from '../decode.js'
import { endsInOther, isOfSameScripts, looksLikeText } from './scripts.js'

export type Order = 'little' | 'big'

export interface Decoded {
  text: string
  /** What the last bytes were in; undefined: UTF-8. */
  order?: Order
  /** Of the place, from the beginning of the bytes on, where they began. */
  isOdd?: boolean
}

/** A part of an output. */
export interface Part {
  /** Something is missing behind it. */
  isCut: boolean
  /** What stands before it, decoded. */
  known: string
}

/**
 * The text of bytes in which UTF-16 begins with a byte order mark, at their beginning or after a line; what stands around
 * it is UTF-8.
 *
 * @param order what bytes without a mark at their beginning are in
 * @returns undefined where there is no UTF-16, or not everything is text
 */
export function decodeUtf16(
  bytes: Buffer,
  { isCut, known }: Part = { isCut: false, known: '' },
  order?: Order,
): Decoded | undefined {
  let text = ''
  let current = order
  let from = 0
  while (from < bytes.length) {
    const mark = nextMark(bytes, from, current)
    const piece = bytes.subarray(from, mark?.at)
    const part = { isCut: isCut && mark === undefined, known: known + text }
    const decoded =
      current === undefined
        ? fromUtf8(part.isCut ? trimCutEnd(piece) : piece)
        : fromUtf16(piece, current, part)
    if (decoded === undefined) return undefined
    text += decoded.text
    current = decoded.order
    if (mark === undefined) break
    current = mark.order
    from = mark.at + 2
  }
  if (from === 0 && order === undefined) return undefined
  // Marks elsewhere are spaces without a width.
  const end = current !== undefined && { order: current, isOdd: from % 2 === 1 }
  return { text: text.replaceAll('\ufeff', ''), ...end }
}

const newline = 0x0a

/** Of several files in a row each begins with one, at the start of a line. */
function nextMark(bytes: Buffer, from: number, current?: Order): { at: number; order: Order } | undefined {
  for (let at = from; at < bytes.length - 1; at++) {
    const order = orderAt(bytes, at)
    if (order === undefined) continue
    const isBehindNewline =
      bytes[at - 1] === newline || (current === 'little' && bytes[at - 2] === newline && bytes[at - 1] === 0)
    if (at === 0 || isBehindNewline) return { at, order }
  }
  return undefined
}

export function orderAt(bytes: Buffer, at = 0): Order | undefined {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === 0xff && second === 0xfe) return 'little'
  return first === 0xfe && second === 0xff ? 'big' : undefined
}

/** Controls that no text has. */
const unfit = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]/
const loneSurrogate = /\p{Surrogate}/u

function fromUtf8(bytes: Buffer): Decoded | undefined {
  const text = bytes.toString()
  return unfit.test(text) || text.includes('\ufffd') ? undefined : { text }
}

/**
 * Other commands may have printed something in UTF-8 behind it: that has no zeros, and is no UTF-16 of the scripts that
 * come before it.
 *
 * @returns undefined where it may be either
 */
function fromUtf16(bytes: Buffer, order: Order, { isCut, known }: Part): Decoded | undefined {
  const zero = bytes.lastIndexOf(0)
  const start = zero === -1 ? 0 : Math.min(zero - (zero % 2) + 2, bytes.length)
  const before = units(bytes.subarray(0, start), order, isCut)
  if (before === undefined) return undefined
  const rest = bytes.subarray(start)
  const wide = units(rest, order, isCut)
  if (wide === '') return looksLikeText(before) ? { text: before, order } : undefined
  const following = fromUtf8(isCut ? trimCutEnd(rest) : rest)
  if (following !== undefined) {
    const isEither = wide !== undefined && isOfSameScripts(wide, known + before)
    return isEither || !looksLikeText(before) ? undefined : { text: before + following.text }
  }
  const isAsciiAtEnd = !isCut && /[\t-\r -~]{2}$/.test(rest.toString('latin1'))
  if (wide === undefined || isAsciiAtEnd) return undefined
  const text = before + wide
  return looksLikeText(text) && !endsInOther(text) ? { text, order } : undefined
}

/** @returns undefined where it is no text; a cut leaves half of a character out */
function units(bytes: Buffer, order: Order, isCut: boolean): string | undefined {
  if (bytes.length % 2 === 1 && !isCut) return undefined
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  const text = (order === 'big' ? whole.swap16() : whole).toString('utf16le')
  const complete = isCut ? text.replace(/[\ud800-\udbff]$/, '') : text
  return unfit.test(complete) || loneSurrogate.test(complete) ? undefined : complete
}
