// What backslashes and tabs mean where bash removes them.

import { letterEscapes } from '../../../base/util/bash-quotes.js'
import type { Source } from './script.js'
import type { WordBuilder } from './word-builder.js'

/** Adds text from outside quotes: a backslash quotes the next character, and vanishes with a newline. */
export function addUnquoted(builder: WordBuilder, text: string): void {
  let from = 0
  for (let at = text.indexOf('\\'); at !== -1 && at + 1 < text.length; at = text.indexOf('\\', from)) {
    builder.literal(text.slice(from, at), false)
    // Half of a surrogate pair would be joined with its other half under another flag.
    const quoted = String.fromCodePoint(text.codePointAt(at + 1) as number)
    if (quoted !== '\n') builder.literal(quoted, true)
    from = at + 1 + quoted.length
  }
  builder.literal(text.slice(from), false)
}

/** What a backslash quotes. */
export const escapedIn = {
  doubleQuotes: /\\([$`"\\\n])/g,
  /** `"${x:-\}}"` */
  quotedOperand: /\\([$`"\\}\n])/g,
  hereDocument: /\\([$`\\\n])/g,
}

export function removeEscapes(text: string, escaped: RegExp): string {
  return text.replace(escaped, (_, character: string) => (character === '\n' ? '' : character))
}

/** Of a `<<-` here-document, or of a piece of it. */
export function removeLeadingTabs(text: string, beginsLine = true): string {
  return text.replace(beginsLine ? /(^|\n)\t+/g : /(\n)\t+/g, '$1')
}

/**
 * The commands between backticks, where a backslash before `$`, a backtick or a backslash is removed; between double
 * quotes also before a double quote.
 *
 * @param start of what stands between the backticks, in the text of `outer`
 */
export function backtickSource(outer: Source, start: number, end: number, inDoubleQuotes: boolean): Source {
  const raw = outer.text.slice(start, end)
  if (!raw.includes('\\')) return { text: raw, at: (offset) => outer.at(start + offset) }
  const removed: number[] = []
  const text = raw.replace(
    inDoubleQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g,
    (_, character: string, at: number) => {
      removed.push(at - removed.length)
      return character
    },
  )
  return { text, at: (offset) => outer.at(start + offset + countUpTo(removed, offset)) }
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const ansiC =
  /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|x\{([0-9A-Fa-f]*)\}|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/g
const letters: Readonly<Record<string, string>> = {
  ...letterEscapes,
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

/** What stands between the quotes of `$'…'`. Bytes are taken as Latin-1, and a NUL ends it, as in bash. */
export function decodeAnsiC(text: string): string {
  const decoded = text.replace(ansiC, (all, octal, hex, braced, short, long, control, letter) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined || braced !== undefined) {
      return String.fromCharCode(Number.parseInt(hex ?? braced, 16) & 0xff)
    }
    if (short !== undefined || long !== undefined) {
      const code = Number.parseInt(short ?? long, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    }
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f)
    return letters[letter] ?? all
  })
  const end = decoded.indexOf('\0')
  return end === -1 ? decoded : decoded.slice(0, end)
}
