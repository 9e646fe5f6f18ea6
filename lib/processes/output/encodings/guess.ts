// What encoding a text that is not UTF-8 seems to have: only where its bytes speak clearly for one.

import { isUtf8 } from 'node:buffer'
import { orderAt } from './utf16.js'

/** What iconv calls it; undefined: it is not known. */
export function guessEncoding(bytes: Buffer): string | undefined {
  if (orderAt(bytes) !== undefined) return 'UTF-16'
  const foreign = foreignLines(bytes)
  if (foreign.length === 0) return undefined
  if (foreign.includes(0)) return withoutMark(foreign)
  const text = foreign.toString('latin1')
  if ((text.match(controls)?.length ?? 0) > 0.01 * text.length) return undefined
  const high = text.match(/[\x80-\xff]+/g) ?? []
  const count = high.join('').length
  if (count === 0) return undefined
  return multiByte(foreign, text, count) ?? singleByte(text, high, count)
}

/** Of these no text has many. */
const controls = /[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]/g
const newline = 0x0a
const maxBytes = 64 * 1024

/** Other lines are UTF-8, and those may be of other programs. A last line may have been cut. */
function foreignLines(bytes: Buffer): Buffer {
  if (bytes.length > maxBytes)
    return foreignLines(bytes.subarray(0, bytes.lastIndexOf(newline, maxBytes) + 1))
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(newline, start)
    const end = at === -1 ? bytes.length : at + 1
    const line = bytes.subarray(start, end)
    if (line.includes(0) || !isUtf8(line)) lines.push(line)
    start = end
  }
  return Buffer.concat(lines)
}

/** UTF-16 of letters has a zero as every other byte. Without spaces it may be single letters with NULs between. */
function withoutMark(bytes: Buffer): string | undefined {
  if (!/[ \n]/.test(bytes.toString('latin1'))) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = bytes.length / 2
  if (odd > 0.7 * most && even < 0.05 * most) return 'UTF-16LE'
  return even > 0.7 * most && odd < 0.05 * most ? 'UTF-16BE' : undefined
}

interface Encoding {
  name: string
  /** What WHATWG calls it: all bytes have to be valid. */
  label: string
  /** Characters that texts of that kind are full of, as bytes. */
  common: RegExp
  /** The share of them among all that is not ASCII, in characters. */
  least: number
}

/** In this order: what is Korean can be taken for Chinese, too. */
const encodings: readonly Encoding[] = [
  { name: 'SHIFT_JIS', label: 'shift_jis', common: /\x82[\x9f-\xf1]|\x83[\x40-\x96]/g, least: 0.3 },
  { name: 'EUC-JP', label: 'euc-jp', common: /[\xa4\xa5][\xa1-\xf6]/g, least: 0.3 },
  { name: 'EUC-KR', label: 'euc-kr', common: /[\xb0-\xc8][\xa1-\xfe]/g, least: 0.9 },
  { name: 'GBK', label: 'gb18030', common: /[\xb0-\xd7\xa1\xa3][\xa1-\xfe]/g, least: 0.8 },
  { name: 'BIG5', label: 'big5', common: /[\xa1-\xc6][\x40-\x7e\xa1-\xfe]/g, least: 0.8 },
]

/** Fewer may be anything. */
const leastBytes = 6

function multiByte(bytes: Buffer, text: string, high: number): string | undefined {
  if (high < leastBytes) return undefined
  // The second byte of a character is not the first one of the next.
  const pairs = (text.match(/[\x80-\xff][^\0-\x3f]/g) ?? []).join(' ')
  return encodings.find(({ label, common, least }) => {
    const characters = decode(bytes, label)?.match(/[^\0-\x7f]/gu)?.length
    return characters !== undefined && (pairs.match(common)?.length ?? 0) >= least * characters
  })?.name
}

function decode(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    // It is something else, or the runtime does not know it.
    return undefined
  }
}

/** Cyrillic words are long, and mostly of small letters; letters with accents stand alone. */
function singleByte(text: string, runs: readonly string[], count: number): string | undefined {
  const share = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / count
  if (count / runs.length < 2) {
    // Letters with accents stand in words, and quotation marks around them.
    if (share(/[a-z][\xc0-\xfe]|[\xc0-\xfe][a-z]|[\x80-\xbf]/gi) < 0.7) return undefined
    return share(/[\x80-\x9f]/g) > 0 ? 'WINDOWS-1252' : 'ISO-8859-1'
  }
  if (count < leastBytes) return undefined
  if (share(/[\xe0-\xff]/g) > 0.7) return 'WINDOWS-1251'
  if (share(/[\xc0-\xdf]/g) > 0.7) return 'KOI8-R'
  return share(/[\xa0-\xaf\xe0-\xef]/g) > 0.7 ? 'CP866' : undefined
}
