// What backslashes and tabs mean where bash removes them.

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

/** Between double quotes, and of an operand between them (`"${x:-\}}"`), where a closing brace can be escaped too. */
export const escapedInDoubleQuotes = /\\([$`"\\\n])/g
export const escapedInQuotedOperand = /\\([$`"\\}\n])/g
export const escapedInHereDocument = /\\([$`\\\n])/g

export function removeEscapes(text: string, escaped: RegExp): string {
  return text.replace(escaped, (_, character: string) => (character === '\n' ? '' : character))
}

/** Of a `<<-` here-document, or of a piece of it. */
export function removeLeadingTabs(text: string, beginsLine = true): string {
  return text.replace(beginsLine ? /(^|\n)\t+/g : /(\n)\t+/g, '$1')
}
