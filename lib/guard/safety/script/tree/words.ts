// Words and other texts with quotes and expansions, read from the text. The tree is asked only where the commands of a
// substitution are.

import { backtickSource, decodeAnsiC, removeEscapes, removeLeadingTabs } from '../escapes.js'
import { type Input, type ItemRange, type Span, spanIn, type Word } from '../script.js'
import { call, type Task } from '../steps.js'
import { WordBuilder } from '../word-builder.js'
import { findClosing, findQuote } from './closing.js'
import * as modes from './modes.js'
import { readParameter } from './parameters.js'
import type { Cursor, Reader } from './reader.js'

type Mode = modes.Mode

const variable = /\$(?:[A-Za-z_]\w*|[0-9*@#?$!-])/y

export function* readWord(reader: Reader, { start, end }: Span, input: Input | null): Task<Word> {
  const builder = new WordBuilder()
  yield* readAll(reader, { at: start, end, input }, builder, modes.word)
  return builder.word(spanIn(reader.source, start, end))
}

/** Only the substitutions of a text whose words do not matter. */
export function* readSubstitutions(reader: Reader, span: Span, input: Input | null, mode: Mode): Task<void> {
  const builder = new WordBuilder()
  yield* readAll(reader, { at: span.start, end: span.end, input }, builder, mode)
  if (mode === modes.arithmetic) checkParentheses(reader, builder, span.start)
}

function checkParentheses(reader: Reader, { parts }: WordBuilder, start: number): void {
  let depth = 0
  for (const part of parts) {
    for (const parenthesis of (part.kind === 'literal' ? part.text : '').match(/[()]/g) ?? []) {
      depth += parenthesis === '(' ? 1 : -1
      if (depth < 0) throw reader.distrust('commands in parentheses', start)
    }
  }
  if (depth !== 0) throw reader.distrust('parentheses that stay open', start)
}

export function* readAll(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  yield* scan(reader, cursor, builder, mode)
  if (cursor.at !== cursor.end) throw reader.distrust('a word that ends early', cursor.at)
}

/** Reads to the end of the text, or to the end that the mode has. */
export function* scan(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const { text } = reader.source
  while (cursor.at < cursor.end) {
    let special = cursor.at
    while (special < cursor.end && mode.special[text.charCodeAt(special)] !== 1) special++
    if (special > cursor.at) {
      addLiteral(text, cursor, builder, special, mode)
      continue
    }
    const character = text[cursor.at] as string
    if (character === mode.end) return
    switch (character) {
      case '\\':
        readEscape(reader, cursor, builder, mode)
        break
      case "'":
        yield* readSingleQuotes(reader, cursor, builder, mode)
        break
      case '"':
        if (mode.doubleQuotes === 'quote') yield* readDoubleQuotes(reader, cursor, builder)
        else addLiteral(text, cursor, builder, cursor.at + 1, mode)
        break
      case '$':
        yield* readDollar(reader, cursor, builder, mode)
        break
      case '`':
        yield* readBackticks(reader, cursor, builder, mode)
        break
      case '[':
        yield* readBrackets(reader, cursor, builder, mode)
        break
      default:
        if (mode.processes && /[<>]/.test(character) && text[cursor.at + 1] === '(') {
          const items = yield* readParenthesized(reader, cursor)
          builder.add({ kind: 'substitution', quoted: false, process: true, items })
          break
        }
        if (mode.separators !== 'literal' && !/[}\]]/.test(character)) {
          if (mode.separators === 'end') return
          throw reader.distrust('a word with an operator in it', cursor.at)
        }
        addLiteral(text, cursor, builder, cursor.at + 1, mode)
    }
    yield undefined
  }
}

function addLiteral(text: string, cursor: Cursor, builder: WordBuilder, to: number, mode: Mode): void {
  const from = cursor.at
  let literal = text.slice(from, to)
  if (cursor.tabbedFrom !== undefined) {
    literal = removeLeadingTabs(literal, from === cursor.tabbedFrom || text[from - 1] === '\n')
  }
  if (literal !== '') builder.literal(literal, mode.quoted)
  cursor.at = to
}

function readEscape(reader: Reader, cursor: Cursor, builder: WordBuilder, { escaped }: Mode): void {
  const at = cursor.at + 1
  if (at >= cursor.end) throw reader.distrust('a backslash at the end of a word', at)
  const character = String.fromCodePoint(reader.source.text.codePointAt(at) as number)
  cursor.at = at + character.length
  if (escaped !== null) {
    const literal = removeEscapes(`\\${character}`, escaped)
    if (literal !== '') builder.literal(literal, true)
  } else if (character !== '\n') {
    builder.literal(character, true)
  }
}

function* readSingleQuotes(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const { text } = reader.source
  const from = cursor.at + 1
  if (mode.singleQuotes === 'literal') return addLiteral(text, cursor, builder, from, mode)
  const to = text.indexOf("'", from)
  if (to === -1 || to >= cursor.end || mode.singleQuotes === 'refuse') {
    throw reader.distrust('a single quote', cursor.at)
  }
  if (mode.singleQuotes === 'quote') {
    builder.literal(text.slice(from, to), true)
  } else {
    // They stay, and what is between them is expanded, but braces do not end the operand.
    builder.literal("'", true)
    yield* call(readAll(reader, { ...cursor, at: from, end: to }, builder, modes.arithmetic))
    builder.literal("'", true)
  }
  cursor.at = to + 1
}

function* readDoubleQuotes(reader: Reader, cursor: Cursor, builder: WordBuilder): Task<void> {
  const from = ++cursor.at
  yield* call(scan(reader, cursor, builder, modes.doubleQuotes))
  if (cursor.at >= cursor.end) throw reader.distrust('an open double quote', from)
  if (/^(?:\\\n)*$/.test(reader.source.text.slice(from, cursor.at))) builder.literal('', true)
  cursor.at++
}

/** In a subscript they nest. */
function* readBrackets(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const { text } = reader.source
  addLiteral(text, cursor, builder, cursor.at + 1, mode)
  yield* call(scan(reader, cursor, builder, mode))
  if (cursor.at >= cursor.end) throw reader.distrust('an open bracket', cursor.at)
  addLiteral(text, cursor, builder, cursor.at + 1, mode)
}

function* readDollar(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const { text } = reader.source
  const { at } = cursor
  const { quoted } = mode
  const next = at + 1 < cursor.end ? text[at + 1] : undefined
  if (next === '{') return builder.add(yield* readParameter(reader, cursor, mode, scan))
  if (next === '[' || text.startsWith('((', at + 1)) {
    if (yield* readArithmetic(reader, cursor)) return builder.add({ kind: 'unknown', quoted })
    if (next === '[') throw reader.distrust('arithmetic without an end', at)
  }
  if (next === '(') {
    const items = yield* readParenthesized(reader, cursor)
    return builder.add({ kind: 'substitution', quoted, process: false, items })
  }
  if (next === "'" && mode.singleQuotes !== 'literal') return readAnsiC(reader, cursor, builder, mode)
  if (next === '"' && mode.doubleQuotes === 'quote') {
    // Translated: the quotes are ordinary ones.
    cursor.at++
    return
  }
  if (next === '\\' && text[at + 2] === '\n') throw reader.distrust('an expansion on two lines', at)
  variable.lastIndex = at
  const name = variable.exec(text)?.[0].slice(1)
  if (name === undefined || at + 1 + name.length > cursor.end) {
    builder.literal('$', quoted)
    cursor.at++
    return
  }
  cursor.at += 1 + name.length
  if (text.startsWith('\\\n', cursor.at) && /\w/.test(name)) throw reader.distrust('a name on two lines', at)
  builder.add({ kind: 'variable', quoted, name, operator: '', operand: null })
}

function readAnsiC(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): void {
  if (mode.singleQuotes !== 'quote') throw reader.distrust('a quote in an operand', cursor.at)
  const start = cursor.at + 2
  const end = findQuote(reader.source.text, start, cursor.end, "'")
  if (end >= cursor.end) throw reader.distrust('an open quote', cursor.at)
  builder.literal(decodeAnsiC(reader.source.text.slice(start, end)), true)
  cursor.at = end + 1
}

function* readBackticks(reader: Reader, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const start = cursor.at + 1
  const end = findQuote(reader.source.text, start, cursor.end, '`')
  if (end >= cursor.end) throw reader.distrust('an open backtick', cursor.at)
  const source = backtickSource(reader.source, start, end, mode.inDoubleQuotes)
  const items = yield* call(reader.inText(source, cursor.input))
  builder.add({ kind: 'substitution', quoted: mode.quoted, process: false, items })
  cursor.at = end + 1
}

/** `$(…)`, `<(…)` or `>(…)`. */
function* readParenthesized(reader: Reader, cursor: Cursor): Task<ItemRange> {
  const { at, input } = cursor
  const { tree, source } = reader
  const node = tree.expansionAt(at)
  if (node !== undefined) {
    cursor.at = tree.end(node)
    if (cursor.at > cursor.end) throw reader.distrust('a substitution that ends too late', at)
    return yield* call(reader.inNode(node, input))
  }
  const closing = findClosing(source.text, at + 2, cursor.end)
  if (closing === undefined) throw reader.distrust('a substitution without an end', at)
  cursor.at = closing + 1
  const inner = source.text.slice(at + 2, closing)
  return yield* call(reader.inText({ text: inner, at: (offset) => source.at(at + 2 + offset) }, input))
}

/** `$((…))` and `$[…]`; false: it is neither. */
function* readArithmetic(reader: Reader, cursor: Cursor): Task<boolean> {
  const { text } = reader.source
  const { at, input } = cursor
  const end = findArithmeticEnd(reader, cursor)
  if (end === undefined) return false
  cursor.at = end
  const length = text[at + 1] === '[' ? 1 : 2
  const closing = text.slice(end - length, end)
  if (end > cursor.end || closing !== (length === 1 ? ']' : '))')) {
    throw reader.distrust('arithmetic without an end', at)
  }
  const span = { start: at + 1 + length, end: end - length }
  yield* call(readSubstitutions(reader, span, input, modes.arithmetic))
  return true
}

function findArithmeticEnd({ source: { text }, tree }: Reader, { at, end }: Cursor): number | undefined {
  const node = tree.expansionAt(at)
  if (node !== undefined) return tree.isArithmetic(node) || tree.isSubshell(node) ? tree.end(node) : undefined
  if (text[at + 1] === '[') return undefined
  const inner = findClosing(text, at + 3, end)
  return inner !== undefined && text[inner + 1] === ')' ? inner + 2 : undefined
}
