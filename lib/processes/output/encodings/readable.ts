// What a model reads in the place of output that is not UTF-8. Loaded with the first such output.

import { humanizeBytes } from '../bytes.js'
import { type CapturedStream, decodeBytes, joinBytes, missingBytes, trimCutStart } from '../decode.js'
import { redactTokens } from '../redact/redact-tokens.js'
import type { Edges } from '../redact/redactor.js'
import { fromLineStart } from '../truncate.js'
import { guessEncoding } from './guess.js'
import { kindOf } from './kinds.js'
import { type Decoded, decodeUtf16 } from './utf16.js'

export { orderAt } from './utf16.js'

/** Of output with bytes that are no text: for texts only. */
export interface Readable {
  /** In the place of `output`: UTF-16 decoded, or of mostly binary output the first bytes. */
  output?: string
  /** What it is, for the line that says that it is not text. */
  note: string
}

/** What takes out of decoded text what may not be shown. */
export type Hide = (text: string, edges: Edges) => string

/** @param bound cuts what is too long, as of any output */
export function readable(
  stream: CapturedStream,
  bound: (stream: CapturedStream) => string,
  hide?: Hide,
): Readable | undefined {
  const decoded = fromUtf16(stream, hide)
  if (decoded !== undefined) return { output: bound(decoded), note: 'it is UTF-16, decoded here' }
  const encoding = guessEncoding(stream.head)
  if (hide !== undefined && hasHidden(stream, hide)) {
    const name = encoding ?? 'UTF-16'
    const note = `it looks like ${name} with withheld values, and is not shown: | iconv -f ${name} -t UTF-8`
    return { output: '', note }
  }
  if (encoding !== undefined) {
    const note = `invalid UTF-8 is shown as \uFFFD, NULs as \u2400; it looks like ${encoding}: | iconv -f ${encoding} -t UTF-8, or | base64`
    return { note }
  }
  return isMostlyBinary(stream) ? summary(stream, bound) : undefined
}

const noEdges = { isBehindGap: false, isBeforeGap: false }

interface Piece {
  bytes: Buffer
  edges: Edges
}

/** What stands before the gap and behind it, if there is one. */
function partsOf(stream: CapturedStream): [Piece, Piece?] {
  if (missingBytes(stream) === 0) return [{ bytes: joinBytes(stream), edges: noEdges }]
  return [
    { bytes: stream.head, edges: { ...noEdges, isBeforeGap: true } },
    { bytes: stream.tail, edges: { ...noEdges, isBehindGap: true } },
  ]
}

const kept = (stream: CapturedStream): Piece[] => partsOf(stream).filter((piece) => piece !== undefined)

/** Whether a secret stands there in UTF-16, which is not decoded. */
function hasHidden(stream: CapturedStream, hide: Hide): boolean {
  return kept(stream).some(({ bytes, edges }) => {
    if (!bytes.includes(0)) return false
    const swapped = (from: number) =>
      Buffer.from(bytes.subarray(from, bytes.length - ((bytes.length - from) % 2))).swap16()
    return [
      bytes.toString().replaceAll('\0', ''),
      ...[0, 1].flatMap((from) => [bytes.toString('utf16le', from), swapped(from).toString('utf16le')]),
    ].some((text) => hide(text, edges) !== text)
  })
}

/** The same stream in UTF-8, as long as it was where lengths decide on what is cut. */
function fromUtf16(stream: CapturedStream, hide: Hide = (text) => text): CapturedStream | undefined {
  const { total, printed = total } = stream
  const [begin, end] = partsOf(stream)
  const first = decodeUtf16(begin.bytes, { isCut: end !== undefined, known: '' })
  if (first === undefined) return undefined
  const last = end && decodeTail(stream, first)
  if (end !== undefined && last === undefined) return undefined
  const show = (text: string, edges: Edges) => Buffer.from(redactTokens(hide(text, edges)))
  const head = show(first.text, begin.edges)
  const tail = end === undefined ? empty : show(last ?? '', end.edges)
  return { head, tail, total: head.length + tail.length + missingBytes(stream), printed }
}

const empty = Buffer.alloc(0)

function decodeTail(
  { tail, total, printed }: CapturedStream,
  { text, order, isOdd }: Decoded,
): string | undefined {
  if (order === undefined) {
    const decoded = decodeBytes(trimCutStart(tail))
    return decoded.binary ? undefined : decoded.text
  }
  const decode = (from: number) => {
    // A pair of surrogates may have been cut in two.
    const high = tail[from + (order === 'little' ? 1 : 0)] ?? 0
    const start = high >= 0xdc && high <= 0xdf ? from + 2 : from
    return decodeUtf16(tail.subarray(start), { isCut: false, known: text }, order)?.text
  }
  if (printed === undefined) return decode((total - tail.length + (isOdd ? 1 : 0)) % 2)
  // Where marks stand for secrets it is not known where a character begins: of letters that are none there are no lines.
  const [one, two] = [decode(0), decode(1)]
  const lines = (decoded = '') => decoded.split('\n').length
  if (lines(one) === lines(two)) return one === undefined || two === undefined ? (one ?? two) : undefined
  return lines(one) > lines(two) ? one : two
}

const leastBytes = 64

/** What separates texts, such as the NULs of `find -print0`, is no such thing. */
function isMostlyBinary({ head, total }: CapturedStream): boolean {
  if (total < leastBytes) return false
  const sample = head.subarray(0, 64 * 1024)
  let [nuls, controls] = [0, 0]
  for (const byte of sample) {
    if (byte === 0) nuls++
    else if (byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) controls++
  }
  const text = sample.toString('utf8')
  const invalid = text.split('\uFFFD').length - 1
  const strange = controls + invalid
  if (nuls > 0.6 * sample.length) return true
  return controls > 0 && nuls + controls > 0.03 * sample.length && nuls + strange > 0.2 * sample.length
}

const shownBytes = 64

function summary(stream: CapturedStream, bound: (stream: CapturedStream) => string): Readable | undefined {
  const { head, total, printed = total } = stream
  const parts = kept(stream)
  if (2 * sum(parts, ({ bytes }) => linesLength(bytes)) > sum(parts, ({ bytes }) => bytes.length))
    return undefined
  const before = textBefore(head)
  const after = textAfter(parts.at(-1)?.bytes ?? empty, parts.length > 1)
  const end = parts.length > 1 ? head.length : joinBytes(stream).length - after.length
  const bytes = joinBytes(stream).subarray(before.length, end)
  const kind = kindOf(bytes)
  const size = Math.max(0, printed - before.length - after.length)
  const what = `${humanizeBytes(size)}${kind === undefined ? '' : `, ${kind}`}`
  const first = bytes.subarray(0, shownBytes)
  const note = `${what}; of it, the first ${first.length} bytes are shown. To look at it: | file -, | strings, | xxd or | base64`
  const text = (part: Buffer) => bound({ head: part, tail: empty, total: part.length })
  return { output: text(before) + hexLines(first) + text(after), note }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Bytes of lines that are text. */
function linesLength(bytes: Buffer): number {
  let length = 0
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(newline, start)
    const end = at === -1 ? bytes.length : at + 1
    if (isText(bytes.subarray(start, end))) length += end - start
    start = end
  }
  return length
}

const newline = 0x0a
const mostAround = 8 * 1024
const unfit = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]/

const isText = (bytes: Buffer): boolean => !unfit.test(bytes.toString())

/** Whole lines of text that stand before it. */
function textBefore(bytes: Buffer): Buffer {
  if (kindOf(bytes) !== undefined) return empty
  let end = 0
  for (;;) {
    const at = bytes.indexOf(newline, end)
    if (at === -1 || at > mostAround || !isText(bytes.subarray(end, at))) break
    end = at + 1
  }
  return bytes.subarray(0, end)
}

/** Fewer characters without an end of a line may be what it ends with. */
const leastAfter = 4

/** What a command prints behind it stands in the same line: errors, mostly. @param isCut at its beginning */
function textAfter(bytes: Buffer, isCut: boolean): Buffer {
  const from = Math.max(0, bytes.length - mostAround)
  const text = trimCutStart(bytes.subarray(from)).toString()
  const pieces = text.split(unfit)
  const last = pieces.at(-1) ?? ''
  const after = pieces.length === 1 && (isCut || from > 0) ? fromLineStart(last) : last
  return after.trim() === '' || (after.length < leastAfter && !after.endsWith('\n'))
    ? empty
    : Buffer.from(after)
}

/** As xxd prints them. */
function hexLines(bytes: Buffer): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16)
    const hex = row.toString('hex').replace(/.{4}(?=.)/g, '$& ')
    const text = row.toString('latin1').replace(/[^\x20-\x7e]/g, '.')
    lines.push(`${at.toString(16).padStart(8, '0')}: ${hex.padEnd(39)}  ${text}\n`)
  }
  return lines.join('')
}
