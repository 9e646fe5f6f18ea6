// What a model reads in the place of output that is not UTF-8. Loaded with the first such output.

import { humanizeBytes } from '../bytes.js'
import { type CapturedStream, decodeBytes, missingBytes } from '../decode.js'
import { redactTokens } from '../redact/redact-tokens.js'
import { guessEncoding } from './guess.js'
import { kindOf } from './kinds.js'
import { decodeUtf16, type Order } from './utf16.js'

export { orderAt } from './utf16.js'

/** Of output with bytes that are no text: for texts only. */
export interface Readable {
  /** In the place of `output`: UTF-16 decoded, or of mostly binary output the first bytes. */
  output?: string
  /** What it is, for the line that says that it is not text. */
  note: string
}

/**
 * @param bound cuts what is too long, as of any output
 * @param hide takes out of decoded text what may not be shown
 */
export function readable(
  stream: CapturedStream,
  bound: (stream: CapturedStream) => string,
  hide?: (text: string) => string,
): Readable | undefined {
  // A secret may have been cut in two.
  const decoded = hide !== undefined && missingBytes(stream) > 0 ? undefined : fromUtf16(stream, hide)
  if (decoded !== undefined) return { output: bound(decoded), note: 'it is UTF-16, decoded here' }
  const encoding = guessEncoding(stream.head)
  if (encoding !== undefined) {
    const note = `invalid UTF-8 is shown as \uFFFD, NULs as \u2400; it looks like ${encoding}: | iconv -f ${encoding} -t UTF-8, or | base64`
    return { note }
  }
  return isMostlyBinary(stream) ? summary(stream) : undefined
}

/** The same stream in UTF-8, as long as it was where lengths decide on what is cut. */
function fromUtf16(stream: CapturedStream, hide = (text: string) => text): CapturedStream | undefined {
  const { head, tail, total, printed = total } = stream
  const isWhole = missingBytes(stream) === 0
  const first = decodeUtf16(isWhole ? Buffer.concat([head, tail]) : head)
  if (first === undefined) return undefined
  const bytes = Buffer.from(redactTokens(hide(first.text)))
  if (isWhole) return { head: bytes, tail: empty, total: bytes.length, printed }
  const last = decodeTail(stream, first.order)
  if (last === undefined) return undefined
  return { head: bytes, tail: last, total: bytes.length + last.length + missingBytes(stream), printed }
}

const empty = Buffer.alloc(0)

/** Where marks stand for secrets it is not known where a character begins. */
function decodeTail({ tail, total, printed }: CapturedStream, order: Order | undefined): Buffer | undefined {
  if (order === undefined) return Buffer.from(decodeBytes(tail).text)
  if (printed !== undefined) return undefined
  // A pair of surrogates may have been cut in two.
  const from = (total - tail.length) % 2
  const high = tail[from + (order === 'little' ? 1 : 0)] ?? 0
  const decoded = decodeUtf16(tail.subarray(high >= 0xdc && high <= 0xdf ? from + 2 : from), order)
  return decoded && Buffer.from(decoded.text)
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

function summary(stream: CapturedStream): Readable {
  const { head, total, printed = total } = stream
  const before = textBefore(head)
  const bytes = head.subarray(before.length)
  const kind = kindOf(bytes)
  const what = `${humanizeBytes(printed - before.length)}${kind === undefined ? '' : `, ${kind}`}`
  const note = `${what}; of it, the first ${shownBytes} bytes are shown. To look at it: | file -, | strings, | xxd or | base64`
  return { output: before.toString() + hexLines(bytes.subarray(0, shownBytes)), note }
}

const newline = 0x0a
const mostBefore = 8 * 1024

/** Whole lines of text that stand before it. */
function textBefore(bytes: Buffer): Buffer {
  let end = 0
  for (;;) {
    const at = bytes.indexOf(newline, end)
    if (at === -1 || at > mostBefore || decodeBytes(bytes.subarray(end, at)).binary) break
    if (/[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]/.test(bytes.subarray(end, at).toString())) break
    end = at + 1
  }
  return kindOf(bytes) === undefined ? bytes.subarray(0, end) : empty
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
