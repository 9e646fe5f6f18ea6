// The text of a plain script, and how far it has been read: blanks, comments and words.

import type { Word, WordPart } from '../script.js'
import { WordBuilder } from '../word-builder.js'

/** What ends a word, or is more than an ordinary character of one. By code; what is not ASCII is ordinary. */
const special = codes(' \t\n;&|<>()\\\'"$`')
/** Those of them that do not end a word. */
const inWord = codes('()\\\'"$`')
/** What is special between double quotes. */
const specialInQuotes = codes('\\"$`')

function codes(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*|[0-9*@#?$!-]))/y
/** What a dollar sign begins that is more than a variable; between double quotes the last two are nothing. */
const otherExpansion = /[{([\\'"]/
const otherExpansionInQuotes = /[{([\\]/
const escapedInQuotes = /[$`"\\]/

/** One literal, as most words are. It is cut out when it is looked at: a long script has many. */
class LiteralWord implements Word {
  readonly #text: string

  constructor(
    text: string,
    readonly start: number,
    readonly end: number,
  ) {
    this.#text = text
  }

  get parts(): readonly WordPart[] {
    return [{ kind: 'literal', quoted: false, text: this.#text.slice(this.start, this.end) }]
  }
}

export class PlainText {
  at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.#text.charAt(this.at)
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.at)
  }

  /** @param pattern a sticky one */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.#text)
  }

  from(start: number): string {
    return this.#text.slice(start, this.at)
  }

  skipBlanks(): void {
    for (;;) {
      const next = this.next
      if (next === ' ' || next === '\t') this.at++
      // Directly behind anything else, it would join what is before and behind it.
      else if (next === '\\' && this.startsWith('\\\n') && this.#isBlank(this.at - 1)) this.at += 2
      else return
    }
  }

  #isBlank(at: number): boolean {
    return this.#text[at] === ' ' || this.#text[at] === '\t'
  }

  /** Up to the newline. @returns false where it may be a part of a word */
  skipComment(): boolean {
    if (this.#text.startsWith('\\\n', this.at - 2)) return false
    const newline = this.#text.indexOf('\n', this.at)
    this.at = newline === -1 ? this.#text.length : newline
    return true
  }

  /** Up to what ends a word, which may be at once. Undefined: it is not plain. */
  word(): Word | undefined {
    const text = this.#text
    const start = this.at
    this.#skipTo(special)
    if (this.at > start && inWord[text.charCodeAt(this.at)] !== 1)
      return new LiteralWord(text, start, this.at)
    const builder = new WordBuilder()
    for (let from = start; ; from = this.at) {
      this.#skipTo(special)
      if (this.at > from) builder.literal(text.slice(from, this.at), false)
      switch (this.next) {
        case "'":
          if (!this.#singleQuotes(builder)) return undefined
          break
        case '"':
          if (!this.#doubleQuotes(builder)) return undefined
          break
        case '$':
          if (!this.#dollar(builder, false)) return undefined
          break
        case '\\':
          if (!this.#escape(builder)) return undefined
          break
        case '`':
        case '(':
        case ')':
          return undefined
        default:
          return builder.word({ start, end: this.at })
      }
    }
  }

  #skipTo(table: Uint8Array): void {
    const text = this.#text
    let at = this.at
    while (at < text.length && table[text.charCodeAt(at)] !== 1) at++
    this.at = at
  }

  #singleQuotes(builder: WordBuilder): boolean {
    const from = this.at + 1
    const to = this.#text.indexOf("'", from)
    if (to === -1) return false
    builder.literal(this.#text.slice(from, to), true)
    this.at = to + 1
    return true
  }

  #doubleQuotes(builder: WordBuilder): boolean {
    const text = this.#text
    const start = ++this.at
    for (;;) {
      const from = this.at
      this.#skipTo(specialInQuotes)
      if (this.at > from) builder.literal(text.slice(from, this.at), true)
      switch (this.next) {
        case '"':
          if (/^(?:\\\n)*$/.test(text.slice(start, this.at))) builder.literal('', true)
          this.at++
          return true
        case '$':
          if (!this.#dollar(builder, true)) return false
          break
        case '\\': {
          const escaped = text[this.at + 1]
          if (escaped === undefined) return false
          if (escapedInQuotes.test(escaped)) builder.literal(escaped, true)
          else if (escaped !== '\n') builder.literal(`\\${escaped}`, true)
          this.at += 2
          break
        }
        default:
          return false
      }
    }
  }

  #dollar(builder: WordBuilder, quoted: boolean): boolean {
    const [read, braced, name = braced] = this.match(variable) ?? []
    if (read !== undefined && name !== undefined) {
      this.at += read.length
      builder.add({ kind: 'variable', quoted, name, operator: '', operand: null })
      // The name may go on behind it.
      return !this.startsWith('\\\n')
    }
    this.at++
    if ((quoted ? otherExpansionInQuotes : otherExpansion).test(this.next)) return false
    builder.literal('$', quoted)
    return true
  }

  #escape(builder: WordBuilder): boolean {
    const escaped = this.#text.codePointAt(this.at + 1)
    if (escaped === undefined || escaped === 10) return false
    const character = String.fromCodePoint(escaped)
    builder.literal(character, true)
    this.at += 1 + character.length
    return true
  }
}
