// UTF-16, as programs of Windows and PowerShell write it: what begins with a byte order mark is decoded.

export type Order = 'little' | 'big'

export interface Decoded {
  text: string
  /** What the last bytes were in; undefined: UTF-8. */
  order?: Order
}

/**
 * The text of bytes in which UTF-16 begins with a byte order mark, at their beginning or after a line; what stands around
 * it is UTF-8.
 *
 * @param order what bytes without a mark at their beginning are in
 * @returns undefined where there is no UTF-16, or not everything is text
 */
export function decodeUtf16(bytes: Buffer, order?: Order): Decoded | undefined {
  let text = ''
  let current = order
  let from = 0
  while (from < bytes.length) {
    const mark = nextMark(bytes, from, current)
    const piece = bytes.subarray(from, mark?.at)
    const decoded = current === undefined ? fromUtf8(piece) : fromUtf16(piece, current)
    if (decoded === undefined) return undefined
    text += decoded.text
    current = decoded.order
    if (mark === undefined) break
    current = mark.order
    from = mark.at + 2
  }
  if (from === 0 && order === undefined) return undefined
  // Marks elsewhere are spaces without a width.
  return { text: text.replaceAll('\ufeff', ''), ...(current !== undefined && { order: current }) }
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

/** Other commands may have printed something behind it, which is none. */
function fromUtf16(bytes: Buffer, order: Order): Decoded | undefined {
  const end = bytes.length - followingLength(bytes, order)
  const whole = Buffer.from(bytes.subarray(0, end - (end % 2)))
  const text = (order === 'big' ? whole.swap16() : whole).toString('utf16le')
  if (unfit.test(text) || loneSurrogate.test(text)) return undefined
  const following = bytes.subarray(end)
  return following.length === 0 ? { text, order } : { text: text + following.toString() }
}

/** Bytes of ASCII at the end: in UTF-16 a zero is among any two bytes of it. */
function followingLength(bytes: Buffer, order: Order): number {
  let start = bytes.length
  while (start > 0 && isAscii(bytes[start - 1] ?? 0)) start--
  if (order === 'big' && bytes[start - 1] === 0) start++
  return start % 2 === 0 && bytes.length - start > 1 && (order === 'big' || bytes[start - 1] === 0)
    ? bytes.length - start
    : 0
}

const isAscii = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d)
