// Whether a command begins with the words of a rule, as far as its words are known.

import type { Argument } from '../argument.js'
import type { LoadedRule } from './policy.js'

/** `perhaps`: it depends on what is not known of the words. */
export type Answer = 'yes' | 'perhaps' | 'no'

export interface KnownWord {
  /** What is certain of its beginning. */
  head: string
  /** Whether that is all of it. */
  isWhole: boolean
  /** Whether it may be any number of words. */
  several: boolean
}

export function wordOf(argument: Argument): KnownWord {
  if (argument.kind === 'text') return { head: argument.text, isWhole: true, several: false }
  const head = argument.kind === 'prefix' ? argument.head : ''
  return { head, isWhole: false, several: argument.several }
}

export function matchRule({ prefix, exact }: LoadedRule, words: readonly KnownWord[]): Answer {
  let answer: Answer = 'yes'
  for (const [index, texts] of prefix.entries()) {
    const word = words[index]
    if (word === undefined) return 'no'
    // It may be no word at all, and those behind it any of the prefix's.
    if (word.several) return 'perhaps'
    if (word.isWhole && texts.includes(word.head)) continue
    if (word.isWhole || !texts.some((text) => text.startsWith(word.head))) return 'no'
    answer = 'perhaps'
  }
  const rest = words.slice(prefix.length)
  if (!exact || rest.length === 0) return answer
  return rest.every(({ several }) => several) ? 'perhaps' : 'no'
}
