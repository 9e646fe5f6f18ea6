// What the characters of a text mean, by where it stands.

import { escapedIn } from '../escapes.js'

export interface Mode {
  /** Literals and expansions are: no splitting, no globbing. Then only some characters can be escaped. */
  quoted: boolean
  /** Null: all. */
  escaped: RegExp | null
  /** The characters that have a meaning, by their codes. */
  special: Uint8Array
  singleQuotes: 'quote' | 'pair' | 'refuse' | 'literal'
  doubleQuotes: 'quote' | 'literal'
  /** `<(…)` and `>(…)`. */
  processes: boolean
  /** What separates words: an error in a word, the end of an element, a character like others elsewhere. */
  separators: 'refuse' | 'end' | 'literal'
  /** It ends before this one. */
  end: '"' | '}' | ']' | null
  /** Backslashes before double quotes vanish in backticks here. */
  inDoubleQuotes: boolean
  /** What an operand (`${NAME:-OPERAND}`) in it is; null: the same kind of text as outside quotes. */
  operand: () => Mode
}

function codes(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const unquoted = {
  quoted: false,
  escaped: null,
  special: codes('\\\'"$`<>|&; \t\n()}]'),
  singleQuotes: 'quote',
  doubleQuotes: 'quote',
  processes: true,
  inDoubleQuotes: false,
  operand: () => operand,
} as const

const quoted = {
  quoted: true,
  special: codes('\\\'"$`}]'),
  processes: false,
  separators: 'literal',
  inDoubleQuotes: false,
  operand: () => quotedOperand,
} as const

export const word: Mode = { ...unquoted, separators: 'refuse', end: null }
/** Of an array. */
export const element: Mode = { ...unquoted, separators: 'end', end: null }
export const operand: Mode = { ...unquoted, separators: 'literal', end: '}' }
/** `NAME[SUBSCRIPT]` */
export const subscript: Mode = {
  ...unquoted,
  special: codes('\\\'"$`[]'),
  processes: false,
  separators: 'literal',
  end: ']',
}
/** `[[ … ]]`, and patterns of `case`. */
export const expression: Mode = { ...unquoted, separators: 'literal', end: null }

export const doubleQuotes: Mode = {
  ...quoted,
  escaped: escapedIn.doubleQuotes,
  singleQuotes: 'literal',
  doubleQuotes: 'literal',
  end: '"',
  inDoubleQuotes: true,
}
export const quotedOperand: Mode = {
  ...quoted,
  escaped: escapedIn.quotedOperand,
  singleQuotes: 'pair',
  doubleQuotes: 'quote',
  end: '}',
}
/** `"${NAME%PATTERN}"`: in a pattern single quotes quote. */
export const quotedPattern: Mode = { ...quotedOperand, singleQuotes: 'quote' }
export const arithmetic: Mode = {
  ...quoted,
  escaped: escapedIn.doubleQuotes,
  singleQuotes: 'literal',
  doubleQuotes: 'literal',
  end: null,
}
export const hereDocument: Mode = {
  ...quoted,
  escaped: escapedIn.hereDocument,
  singleQuotes: 'literal',
  doubleQuotes: 'literal',
  end: null,
  operand: () => hereDocumentOperand,
}
/** What bash does with single quotes there depends on its version. */
const hereDocumentOperand: Mode = { ...quotedOperand, singleQuotes: 'refuse' }
