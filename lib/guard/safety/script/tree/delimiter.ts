// The delimiter of a here-document, as its operator's word has it.

import { escapedIn, removeEscapes } from '../escapes.js'
import type { Delimiter } from '../here-documents.js'
import { Distrust } from './reader.js'

/** What may stand in a delimiter: nothing that bash would have to expand, which it does not. */
const delimiterPiece = /\\([\s\S])|'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|([^\\'"$`<>|&;()\s]+)/y

/** The delimiter that a word stands for. */
export function readDelimiter(word: string, offset: number): Delimiter {
  let text = ''
  let quoted = false
  for (let at = 0; at < word.length; at = delimiterPiece.lastIndex) {
    delimiterPiece.lastIndex = at
    const match = delimiterPiece.exec(word)
    if (match === null) throw new Distrust('an unusual delimiter', offset + at)
    const [, escaped, single, double, plain] = match
    quoted ||= plain === undefined
    if (escaped !== '\n')
      text += escaped ?? single ?? plain ?? removeEscapes(double ?? '', escapedIn.doubleQuotes)
  }
  return { text, quoted }
}
