// Words, assignments and bodies of here-documents, read from the text. The tree is asked only where the commands of a
// substitution are.

import { withoutSubscripts } from '../arrays.js'
import { Distrust } from '../distrust.js'
import { removeEscapes, removeLeadingTabs } from '../escapes.js'
import { type Source, spanIn } from '../offsets.js'
import type { Assignment, Input, ItemRange, Span, Word } from '../script.js'
import { call, type Task } from '../task.js'
import { WordBuilder } from '../word-builder.js'
import { type Cursor, readBackticks, readDollar, readProcess } from './expansions.js'
import type { Mode } from './modes.js'
import * as modes from './modes.js'
import type { Tree } from './tree.js'

/** Reads the commands of substitutions. */
export interface Commands {
  /** Those of a substitution in the tree. */
  inNode(node: number, input: Input | null): Task<ItemRange>
  /** Those of a text that is not in the tree. */
  inText(source: Source, input: Input | null): Task<ItemRange>
}

const plainWord = /^[^\\'"$`<>|&;\s()]+$/
const assignmentStart = /([A-Za-z_]\w*)(\+?=|\[)/y
const subscripted = /^\w+\[[\s\S]*\]\+?=/

export class Words {
  readonly text: string

  constructor(
    readonly source: Source,
    readonly tree: Tree,
    readonly commands: Commands,
  ) {
    this.text = source.text
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end)
  }

  /** In terms of the script. */
  span(start: number, end: number): Span {
    return spanIn(this.source, start, end)
  }

  distrust(reason: string, at: number): Distrust {
    return new Distrust(reason, this.source.at(at))
  }

  *word(span: Span, input: Input | null): Task<Word> {
    const builder = new WordBuilder()
    const text = this.slice(span)
    if (plainWord.test(text)) builder.literal(text, false)
    else yield* this.all({ at: span.start, end: span.end, input }, builder, modes.word)
    return this.build(builder, span)
  }

  /** The assignment, and what it is as an argument of a command; null when it is none. */
  *assignment(span: Span, input: Input | null): Task<{ assignment: Assignment; argument: Word } | null> {
    assignmentStart.lastIndex = span.start
    const [start, name, then] = assignmentStart.exec(this.text) ?? []
    if (start === undefined || name === undefined || span.start + start.length > span.end) {
      if (/^\w*\\\n[\w\\\n]*\+?[=[]/.test(this.slice(span)))
        throw this.distrust('a name on two lines', span.start)
      return null
    }
    const cursor: Cursor = { at: span.start + start.length, end: span.end, input }
    const builder = new WordBuilder()
    builder.literal(name, false)
    let equals = then as string
    const hasSubscript = equals === '['
    if (hasSubscript) {
      if (!subscripted.test(this.slice(span))) return null
      yield* this.scan(cursor, new WordBuilder(), modes.subscript)
      equals = /^\]\+?=/.exec(this.text.slice(cursor.at, cursor.at + 3))?.[0].slice(1) ?? ''
      if (equals === '') throw this.distrust('an unusual subscript', cursor.at)
      cursor.at += 1 + equals.length
      builder.add({ kind: 'unknown', quoted: true })
    }
    builder.literal(equals, false)
    const elements = yield* this.array(cursor)
    const value = elements === null ? yield* this.word({ start: cursor.at, end: cursor.end }, input) : null
    if (value === null) builder.add({ kind: 'unknown', quoted: true })
    else for (const part of value.parts) builder.add(structuredClone(part))
    const argument = this.build(builder, span)
    return {
      argument,
      assignment: {
        start: argument.start,
        end: argument.end,
        name,
        append: equals === '+=',
        value: hasSubscript ? null : value,
        elements: elements && withoutSubscripts(elements),
      },
    }
  }

  /** @param tabbed of a `<<-` here-document */
  *hereDocument(span: Span, quoted: boolean, tabbed: boolean, input: Input | null): Task<Word> {
    const builder = new WordBuilder()
    if (quoted) {
      const text = this.slice(span)
      if (text !== '') builder.literal(tabbed ? removeLeadingTabs(text) : text, true)
    } else {
      const cursor: Cursor = { at: span.start, end: span.end, input }
      if (tabbed) cursor.tabbedFrom = span.start
      yield* this.all(cursor, builder, modes.hereDocument)
    }
    return this.build(builder, span)
  }

  /** Only the substitutions of a text whose words do not matter. */
  *substitutions(span: Span, input: Input | null, mode: Mode): Task<void> {
    const builder = new WordBuilder()
    yield* this.all({ at: span.start, end: span.end, input }, builder, mode)
    if (mode === modes.arithmetic) this.checkParentheses(builder, span)
  }

  /** Reads to the end of the text, or to the end that the mode has. */
  *scan(cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
    const { text } = this
    while (cursor.at < cursor.end) {
      const special = this.findSpecial(cursor, mode)
      if (special > cursor.at) {
        this.literal(cursor, builder, special, mode)
        continue
      }
      const character = text[cursor.at] as string
      if (character === mode.end) return
      switch (character) {
        case '\\':
          this.escape(cursor, builder, mode)
          break
        case "'":
          yield* this.singleQuote(cursor, builder, mode)
          break
        case '"':
          if (mode.doubleQuotes === 'quote') yield* this.doubleQuote(cursor, builder)
          else this.literal(cursor, builder, cursor.at + 1, mode)
          break
        case '$':
          yield* readDollar(this, cursor, builder, mode)
          break
        case '`':
          yield* readBackticks(this, cursor, builder, mode)
          break
        case '[':
          yield* this.brackets(cursor, builder, mode)
          break
        default:
          if (mode.processes && /[<>]/.test(character) && text[cursor.at + 1] === '(') {
            yield* readProcess(this, cursor, builder)
            break
          }
          if (mode.separators !== 'literal' && !/[}\]]/.test(character)) {
            if (mode.separators === 'end') return
            throw this.distrust('a word with an operator in it', cursor.at)
          }
          this.literal(cursor, builder, cursor.at + 1, mode)
      }
      yield undefined
    }
  }

  private *all(cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
    yield* this.scan(cursor, builder, mode)
    if (cursor.at !== cursor.end) throw this.distrust('a word that ends early', cursor.at)
  }

  private build(builder: WordBuilder, { start, end }: Span): Word {
    const span = this.span(start, end)
    return builder.word(span.start, span.end)
  }

  private findSpecial({ at, end }: Cursor, { special }: Mode): number {
    let found = at
    while (found < end && special[this.text.charCodeAt(found)] !== 1) found++
    return found
  }

  private literal(cursor: Cursor, builder: WordBuilder, to: number, mode: Mode): void {
    const from = cursor.at
    let literal = this.text.slice(from, to)
    if (cursor.tabbedFrom !== undefined) {
      literal = removeLeadingTabs(literal, from === cursor.tabbedFrom || this.text[from - 1] === '\n')
    }
    if (literal !== '') builder.literal(literal, mode.quoted)
    cursor.at = to
  }

  private escape(cursor: Cursor, builder: WordBuilder, { escaped }: Mode): void {
    const at = cursor.at + 1
    if (at >= cursor.end) throw this.distrust('a backslash at the end of a word', at)
    const character = String.fromCodePoint(this.text.codePointAt(at) as number)
    cursor.at = at + character.length
    if (escaped !== null) {
      const literal = removeEscapes(`\\${character}`, escaped)
      if (literal !== '') builder.literal(literal, true)
    } else if (character !== '\n') {
      builder.literal(character, true)
    }
  }

  private *singleQuote(cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
    const from = cursor.at + 1
    if (mode.singleQuotes === 'literal') return this.literal(cursor, builder, from, mode)
    const to = this.text.indexOf("'", from)
    if (to === -1 || to >= cursor.end || mode.singleQuotes === 'refuse') {
      throw this.distrust('a single quote', cursor.at)
    }
    if (mode.singleQuotes === 'quote') {
      builder.literal(this.text.slice(from, to), true)
    } else {
      // They stay, and what is between them is expanded, but braces do not end the operand.
      builder.literal("'", true)
      yield* call(this.all({ ...cursor, at: from, end: to }, builder, modes.arithmetic))
      builder.literal("'", true)
    }
    cursor.at = to + 1
  }

  private *doubleQuote(cursor: Cursor, builder: WordBuilder): Task<void> {
    const from = ++cursor.at
    yield* call(this.scan(cursor, builder, modes.doubleQuotes))
    if (cursor.at >= cursor.end) throw this.distrust('an open double quote', from)
    if (cursor.at === from) builder.literal('', true)
    cursor.at++
  }

  /** In a subscript they nest. */
  private *brackets(cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
    this.literal(cursor, builder, cursor.at + 1, mode)
    yield* call(this.scan(cursor, builder, mode))
    if (cursor.at >= cursor.end) throw this.distrust('an open bracket', cursor.at)
    this.literal(cursor, builder, cursor.at + 1, mode)
  }

  /** Null: it is none. */
  private *array(cursor: Cursor): Task<Word[] | null> {
    if (this.text[cursor.at] !== '(') return null
    cursor.at++
    const elements: Word[] = []
    for (;;) {
      this.skipBlank(cursor)
      const { at } = cursor
      if (this.text[at] === ')' && at + 1 === cursor.end) return elements
      const builder = new WordBuilder()
      yield* this.scan(cursor, builder, modes.element)
      if (cursor.at === at) throw this.distrust('an array that does not end', at)
      let end = cursor.at
      while (this.text.endsWith('\\\n', end)) end -= 2
      elements.push(this.build(builder, { start: at, end }))
    }
  }

  private skipBlank(cursor: Cursor): void {
    const blank = /(?:[ \t\n]|\\\n|#.*)*/y
    blank.lastIndex = cursor.at
    blank.test(this.text)
    cursor.at = blank.lastIndex
  }

  private checkParentheses({ parts }: WordBuilder, { start }: Span): void {
    let depth = 0
    for (const part of parts) {
      for (const parenthesis of (part.kind === 'literal' ? part.text : '').match(/[()]/g) ?? []) {
        depth += parenthesis === '(' ? 1 : -1
        if (depth < 0) throw this.distrust('commands in parentheses', start)
      }
    }
    if (depth !== 0) throw this.distrust('parentheses that stay open', start)
  }
}
