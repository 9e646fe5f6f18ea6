// Builds the arguments that a word expands to: splits values, and tells patterns from quoted text.

import { escapePattern } from '../glob.js'
import { type Argument, unknownText } from '../rule.js'
import type { ItemRange, Span } from '../script/script.js'

/** An argument, with what the examination needs besides what rules see. */
export interface Field extends Argument {
  /** An unquoted expansion of unknown value and nothing else: it may turn out to be several words, or none. */
  mayVanish: boolean
  /** The unknown parts, if all of them are variables that nothing in the script sets or tests. */
  unset: readonly string[] | undefined
  /** The commands whose output a `<(…)` reads. */
  process: ItemRange | undefined
}

/** Where a word stands, in the original command and as written. */
export interface Origin extends Span {
  source: string
}

const patternCharacters = /[*?[]|[?*+@!]\(/

/** The argument that a program gets when `text` is passed on as it is. */
export function literalField(text: string, origin: Origin): Field {
  const { start, end, source } = origin
  return { text, pattern: null, source, start, end, mayVanish: false, unset: undefined, process: undefined }
}

/** The words of a text, without empty ones, but with `''` at an end where a separator stands. */
export function splitAt(separators: string, text: string): string[] {
  if (separators === ' \t\n') return text.split(/[ \t\n]+/)
  if (separators === '') return [text]
  return text.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, '\\$&')}]+`, 'u'))
}

/** Puts together the arguments of one word, part by part. */
export class FieldBuilder {
  readonly fields: Field[] = []
  readonly #origin: Origin
  readonly #shell: { readonly separators: string }
  #text = ''
  #pattern = ''
  #started = false
  #isPattern = false
  #vanishes = true
  #unset: string[] = []
  #process: ItemRange | undefined

  /** @param shell what `separators` it has: the value of IFS */
  constructor(origin: Origin, shell: { readonly separators: string }) {
    this.#origin = origin
    this.#shell = shell
  }

  /** Text that is taken as it is. */
  addQuoted(text: string): void {
    this.#started = true
    this.#vanishes = false
    this.#text += text
    this.#pattern += escapePattern(text)
  }

  /** Text in which patterns count. */
  addUnquoted(text: string): void {
    if (text === '') return
    this.#started = true
    if (text !== unknownText) this.#vanishes = false
    this.#text += text
    this.#pattern += text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
    if (!this.#isPattern) this.#isPattern = patternCharacters.test(text)
  }

  /** The value of an unquoted expansion: it is split, and patterns in it count. */
  addSplit(value: string): void {
    const words = splitAt(this.#shell.separators, value)
    for (const [index, word] of words.entries()) {
      if (index > 0) this.finish()
      this.addUnquoted(word)
    }
  }

  /** An argument for each element; the first and the last one join the text around them. */
  addElements(elements: readonly Pick<Argument, 'text' | 'pattern'>[]): void {
    for (const [index, { text, pattern }] of elements.entries()) {
      if (index > 0) this.finish()
      this.#started = true
      if (text !== unknownText) this.#vanishes = false
      this.#text += text
      this.#pattern += pattern ?? escapePattern(text)
      if (pattern !== null) this.#isPattern = true
    }
  }

  /** Notes that each unknown part of the text added next is one of these variables, which nothing sets or tests. */
  noteUnset(text: string, names: readonly string[]): void {
    for (let count = countUnknown(text); count > 0; count--) this.#unset.push(names.join(' or '))
  }

  addProcess(items: ItemRange): void {
    this.addQuoted(unknownText)
    this.#process = items
  }

  /** Ends an argument, if one has begun. */
  finish(): void {
    if (!this.#started) return
    const { start, end, source } = this.#origin
    this.fields.push({
      text: this.#text,
      pattern: this.#isPattern ? this.#pattern : null,
      source,
      start,
      end,
      mayVanish: this.#vanishes && this.#text === unknownText,
      unset:
        this.#unset.length > 0 && this.#unset.length === countUnknown(this.#text) ? this.#unset : undefined,
      process: this.#process,
    })
    this.#text = ''
    this.#pattern = ''
    this.#started = false
    this.#isPattern = false
    this.#vanishes = true
    this.#unset = []
    this.#process = undefined
  }
}

function countUnknown(text: string): number {
  return text.split(unknownText).length - 1
}
