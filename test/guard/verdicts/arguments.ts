// Writes arguments down: words apart by spaces, what is unknown as in a script.

import type { Argument } from '../../../lib/guard/verdicts/argument.js'

/**
 * `$x` stands for a quoted unknown value, `@x` for one that may be several words; both may follow a known beginning:
 * `src/$x`. `*` begins a pattern: `src/*`.
 */
export function argumentsOf(line: string): Argument[] {
  return line === '' ? [] : line.split(' ').map(argumentOf)
}

export function argumentOf(word: string): Argument {
  const unknown = /[$@]x|\*/.exec(word)
  if (unknown === null) return { kind: 'text', text: word }
  const several = unknown[0] !== '$x'
  const head = word.slice(0, unknown.index)
  return head === '' || unknown[0] === '@x' ? { kind: 'unknown', several } : { kind: 'prefix', head, several }
}

export function textArguments(...words: string[]): Argument[] {
  return words.map((text) => ({ kind: 'text', text }))
}
