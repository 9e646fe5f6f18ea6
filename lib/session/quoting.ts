// Words as bash prints them. Source: bash(1), QUOTING.

import { letterEscapes, quote } from '../util/bash-quotes.js'
import { type ByteString, fromBuffer } from './bytes.js'
import { RecordFault } from './fault.js'

const backslash = 0x5c
const doubleQuote = 0x22
const singleQuote = 0x27
const dollar = 0x24
const backtick = 0x60

/**
 * The index behind the quoted string whose opening quote is at `start`.
 *
 * @throws {RecordFault} when it does not end
 */
export function endOfQuoted(text: ByteString, start: number): number {
  const mark = text.charCodeAt(start)
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === mark) return at + 1
    if (code === backslash) at += 1
  }
  throw new RecordFault('a quoted string does not end')
}

/**
 * Reads a word as `alias -p` prints it, `'…'` with `'\''` for each quote, or `\'`.
 *
 * @returns what it means, and the index behind it
 * @throws {RecordFault} when it does not end
 */
export function readSingleQuoted(text: ByteString, start: number): { value: ByteString; end: number } {
  if (text.startsWith("\\'", start)) return { value: "'", end: start + 2 }
  let end = text.charCodeAt(start) === singleQuote ? text.indexOf("'", start + 1) : -1
  if (end < 0) throw new RecordFault('a quoted string does not begin or end')
  if (!text.startsWith(quotedQuote, end)) return { value: text.slice(start + 1, end), end: end + 1 }
  end = endOfSingleQuoted(text, end)
  const bytes = Buffer.allocUnsafe(end - start)
  let length = 0
  for (let at = start + 1; at < end - 1; at += 1) {
    const code = text.charCodeAt(at)
    if (code === singleQuote) at += quotedQuote.length - 1
    bytes[length++] = code
  }
  return { value: fromBuffer(bytes.subarray(0, length)), end }
}

const quotedQuote = "'\\''"

function endOfSingleQuoted(text: ByteString, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== singleQuote) continue
    if (text.charCodeAt(at + 1) !== backslash) return at + 1
    if (!text.startsWith(quotedQuote, at)) break
    at += quotedQuote.length - 1
  }
  throw new RecordFault('a quoted string does not end')
}

/** The word that stands for these bytes; of megabytes, whatever they are, in milliseconds. */
export function quoteBytes(bytes: ByteString): ByteString {
  if (bytes.length < 65_536) return quote(bytes)
  let quotes = 0
  for (let at = 0; at < bytes.length; at += 1) if (bytes.charCodeAt(at) === singleQuote) quotes += 1
  if (quotes === 0) return `'${bytes}'`
  const word = Buffer.allocUnsafe(bytes.length + quotes * (quotedQuote.length - 1) + 2)
  let length = 0
  word[length++] = singleQuote
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at)
    word[length++] = code
    if (code !== singleQuote) continue
    word[length++] = backslash
    word[length++] = singleQuote
    word[length++] = singleQuote
  }
  word[length] = singleQuote
  return fromBuffer(word)
}

/**
 * What a word means that `declare -p` or `alias -p` has printed: `"…"`, `$'…'`, or without quotes.
 *
 * @throws {RecordFault} when it holds anything that bash would expand
 */
export function unquote(word: ByteString): ByteString {
  if (word.startsWith('"')) return unquoteDouble(word.slice(1, -1))
  if (word.startsWith("$'")) return unquoteAnsi(word.slice(2, -1))
  return word
}

// Byte by byte: a command may make a value of megabytes of escapes, and a callback for each would hold up the host.

// bash before 5.0 prints \x01 and \x7f, its internal marks, with another \x01 in front.
function unquoteDouble(text: ByteString): ByteString {
  if (!/[\\$`\x01]/.test(text)) return text
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code === backslash || code === 0x01) {
      const next = text.charCodeAt(at + 1)
      if (code === backslash ? isSpecial(next) : next === 0x01 || next === 0x7f) {
        code = next
        at += 1
      } else if (code === backslash) throw new RecordFault(expansion)
    } else if (code === dollar || code === backtick) throw new RecordFault(expansion)
    bytes[length++] = code
  }
  return fromBuffer(bytes.subarray(0, length))
}

const expansion = 'a value holds an expansion'

function isSpecial(code: number): boolean {
  return code === backslash || code === doubleQuote || code === dollar || code === backtick
}

function unquoteAnsi(text: ByteString): ByteString {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code === backslash) {
      at += 1
      const letter = ansiLetters.get(text.charCodeAt(at))
      if (letter === undefined) {
        code = (octalDigit(text, at) << 6) | (octalDigit(text, at + 1) << 3) | octalDigit(text, at + 2)
        at += 2
      } else code = letter
    } else if (code === singleQuote) throw new RecordFault(unknownEscape)
    bytes[length++] = code
  }
  return fromBuffer(bytes.subarray(0, length))
}

const ansiLetters: ReadonlyMap<number, number> = new Map(
  Object.entries({ ...letterEscapes, '\\': '\\', "'": "'" }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte.charCodeAt(0),
  ]),
)

const unknownEscape = "a $'…' string holds an unknown escape"

function octalDigit(text: ByteString, at: number): number {
  const digit = text.charCodeAt(at) - 0x30
  if (digit >= 0 && digit <= 7) return digit
  throw new RecordFault(unknownEscape)
}
