// Words as bash prints them. Source: bash(1), QUOTING.

import { letterEscapes } from '../bash-quotes.js'
import type { ByteString } from './bytes.js'
import { RecordFault } from './fault.js'

/**
 * The index behind the quoted string whose opening quote is at `start`.
 *
 * @throws {RecordFault} when it does not end
 */
export function endOfQuoted(text: ByteString, start: number): number {
  const mark = text.charAt(start)
  for (let at = text.indexOf(mark, start + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0
    while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  throw new RecordFault('a quoted string does not end')
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

// bash before 5.0 prints \x01 and \x7f, its internal marks, with another \x01 in front.
function unquoteDouble(text: ByteString): ByteString {
  return text.replace(
    /\\([$`"\\])|\x01([\x01\x7f])|[$`\\]/g,
    (_, escaped: string | undefined, marked: string | undefined) => {
      const byte = escaped ?? marked
      if (byte === undefined) throw new RecordFault('a value holds an expansion')
      return byte
    },
  )
}

function unquoteAnsi(text: ByteString): ByteString {
  return text.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abeEfnrtv\\'"?]))|[\\']/g,
    (_, octal: string | undefined, hex: string | undefined, letter: string | undefined) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (letter !== undefined) return letterEscapes[letter] ?? letter
      throw new RecordFault("a $'…' string holds an unknown escape")
    },
  )
}
