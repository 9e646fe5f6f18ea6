// The arguments that a word becomes, as far as that is certain whatever the variables, the files and the functions of the
// shell are. Values that the same text gives to a variable do not count: whether an assignment is made may depend on what
// another command does.

import type { Word, WordPart } from '../safety/script/script.js'
import type { Argument } from './argument.js'

/** Unquoted, from here on a word may be the names of files, or several words. */
const opening = /[*?[{]|[+@!]\(/
/** Tilde expansion begins at the beginning of a word, and behind `=` and `:`. */
const laterTilde = /[=:]~/

/** What is known of a word, part by part. */
class Beginning {
  /** What is certain. */
  head = ''
  isCertain = true
  /** Whether there may be another number of words than one, all of which begin with `head`. */
  several = false
  /** Whether there may be words that begin with anything. */
  splits = false

  add(part: WordPart, isFirst: boolean): void {
    if (part.kind !== 'literal') this.#addExpansion(part)
    else if (part.quoted) this.#addText(part.text)
    else this.#addUnquoted(part.text, isFirst)
  }

  #addText(text: string): void {
    if (this.isCertain) this.head += text
  }

  #addUnquoted(text: string, isFirst: boolean): void {
    if (isFirst && text.startsWith('~')) {
      this.#addText('/')
      this.isCertain = false
    }
    const tilde = text.search(laterTilde)
    const open = text.search(opening)
    if (tilde !== -1 && (open === -1 || tilde < open)) {
      this.#addText(text.slice(0, tilde + 1))
      this.isCertain = false
    }
    this.#addText(open === -1 ? text : text.slice(0, open))
    if (open === -1) return
    this.isCertain = false
    this.several = true
  }

  #addExpansion(part: Exclude<WordPart, { kind: 'literal' }>): void {
    if (part.kind === 'substitution' && part.process) this.#addText('/dev/fd/')
    this.isCertain = false
    if (part.kind === 'substitution' && part.process) return
    // Of some operators, such as `${x[@]:1}`, the subscript is not known here.
    const isList =
      (part.kind === 'variable' && (part.name === '@' || part.operator === 'other')) ||
      (part.kind === 'elements' && part.subscript === '@')
    // What it is may be split, and then the second word begins with anything.
    if (!part.quoted || isList) this.splits = true
  }
}

/** What the word is, in one: when it becomes several arguments, that is told by {@link Argument}. */
export function toArgument(word: Word): Argument {
  const bare = bareText(word) ?? textAroundBraces(word)
  if (bare !== undefined) return { kind: 'text', text: bare }
  const beginning = new Beginning()
  for (const [index, part] of word.parts.entries()) beginning.add(part, index === 0)
  const { head, isCertain, several, splits } = beginning
  if (isCertain) return { kind: 'text', text: head }
  if (splits) return { kind: 'unknown', several: true }
  return head === '' ? { kind: 'unknown', several } : { kind: 'prefix', head, several }
}

/** The text of a word in which nothing is expanded; undefined for others. */
export function textOf(word: Word): string | undefined {
  const argument = toArgument(word)
  return argument.kind === 'text' ? argument.text : undefined
}

/** The texts of the words before the first that is not certain. */
export function certainWords(words: readonly Word[]): string[] {
  const texts: string[] = []
  for (const word of words) {
    const text = textOf(word)
    if (text === undefined) break
    texts.push(text)
  }
  return texts
}

/** Of words that only look like a pattern or like braces. */
function bareText({ parts }: Word): string | undefined {
  const [part] = parts
  if (parts.length !== 1 || part?.kind !== 'literal' || part.quoted) return undefined
  return ['[', '{', '}', '{}'].includes(part.text) ? part.text : undefined
}

/**
 * Of a word such as `-I{}` or `src/{}`: bash leaves empty braces as they are, if there are no others that may end what they
 * begin, as in `a{},b}`.
 */
function textAroundBraces({ parts }: Word): string | undefined {
  if (!parts.some((part) => part.kind === 'literal' && part.text.includes('{}'))) return undefined
  let text = ''
  let unquoted = ''
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'literal') return undefined
    text += part.text
    // Quotes between two parts keep them apart.
    if (!part.quoted) unquoted += index === 0 ? part.text : `\n${part.text}`
  }
  const [before, after, ...others] = unquoted.split('{}')
  if (before === undefined || after === undefined || others.length > 0) return undefined
  const isPlain = !/[{}]/.test(before + after) && !opening.test(unquoted.replace('{}', ''))
  return isPlain && !unquoted.startsWith('~') && !laterTilde.test(unquoted) ? text : undefined
}
