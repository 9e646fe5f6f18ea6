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

/**
 * The same for rules that ask or deny, which hold behind options of the program, too: `git -C x push` is a `git push`.
 * Only of git it is known which of them have a value; for others the answer is `perhaps`.
 */
export function matchBehindOptions(rule: LoadedRule, words: readonly KnownWord[]): Answer {
  const answer = matchRule(rule, words)
  const [program, next] = words
  if (answer !== 'no' || rule.prefix.length < 2 || program === undefined || next === undefined) return answer
  if (program.head === 'git' && program.isWhole) {
    const at = behindGitOptions(words)
    if (at !== undefined) return matchRule(rule, [program, ...words.slice(at)])
  }
  const matches = behindOptions(words).some(
    (at) => matchRule(rule, [program, ...words.slice(at, at + rule.prefix.length)]) !== 'no',
  )
  return matches ? 'perhaps' : 'no'
}

const mayBeOption = ({ head, isWhole }: KnownWord) => /^[-+]/.test(head) || (head === '' && !isWhole)

/** Places at which the operands may begin: any option may have a value. */
function behindOptions(words: readonly KnownWord[]): number[] {
  const places: number[] = []
  let reached = 1
  for (let at = 1; at <= reached && at < words.length; at++) {
    const word = words[at] as KnownWord
    if (at > 1) places.push(at)
    if (mayBeOption(word)) reached = Math.max(reached, at + 2)
  }
  return places
}

const gitFlags =
  /^(?:-p|-P|--(?:paginate|no-pager|bare|no-replace-objects|no-lazy-fetch|no-optional-locks|no-advice|(?:literal|glob|noglob|icase)-pathspecs)|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|exec-path)=.*)$/s
const gitValues = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source))$/

/** Where the sub-command is; undefined: that is not certain. */
function behindGitOptions(words: readonly KnownWord[]): number | undefined {
  let at = 1
  for (let word = words[at]; word !== undefined && !/^[^-]/.test(word.head); word = words[at]) {
    if (word.isWhole && gitValues.test(word.head)) {
      if (words[at + 1]?.several) return undefined
      at += 2
    } else if (word.isWhole && gitFlags.test(word.head)) at++
    else return undefined
  }
  return at
}
