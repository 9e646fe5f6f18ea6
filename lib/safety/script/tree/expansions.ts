// What begins with a dollar sign, a backtick, or `<(`.

import { decodeAnsiC } from '../ansi-c.js'
import { backtickSource } from '../offsets.js'
import type { Input, ItemRange } from '../script.js'
import { call, type Task } from '../task.js'
import type { WordBuilder } from '../word-builder.js'
import { findClosing } from './closing.js'
import type { Mode } from './modes.js'
import * as modes from './modes.js'
import { readParameter } from './parameters.js'
import type { Words } from './words.js'

/** A piece of a text, read up to `at`. */
export interface Cursor {
  at: number
  end: number
  /** Of the command that the piece is part of. */
  input: Input | null
  /** Where the body of a `<<-` here-document begins, if it is one. */
  tabbedFrom?: number
}

const variable = /\$(?:[A-Za-z_]\w*|[0-9*@#?$!-])/y

export function* readDollar(words: Words, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const { text } = words
  const { at } = cursor
  const next = at + 1 < cursor.end ? text[at + 1] : undefined
  if (next === '{') return yield* readParameter(words, cursor, builder, mode)
  if (next === '[' || text.startsWith('((', at + 1)) {
    if (yield* readArithmetic(words, cursor, builder, mode)) return
    if (next === '[') throw words.distrust('arithmetic without an end', at)
  }
  if (next === '(') {
    const items = yield* readParenthesized(words, cursor)
    return builder.add({ kind: 'substitution', quoted: mode.quoted, process: false, items })
  }
  if (next === "'" && mode.singleQuotes !== 'literal') return readAnsiC(words, cursor, builder, mode)
  if (next === '"' && mode.doubleQuotes === 'quote') {
    // Translated: the quotes are ordinary ones.
    cursor.at++
    return
  }
  if (next === '\\' && text[at + 2] === '\n') throw words.distrust('an expansion on two lines', at)
  variable.lastIndex = at
  const name = variable.exec(text)?.[0].slice(1)
  if (name === undefined || at + 1 + name.length > cursor.end) {
    builder.literal('$', mode.quoted)
    cursor.at++
    return
  }
  cursor.at += 1 + name.length
  if (text.startsWith('\\\n', cursor.at) && /\w/.test(name)) throw words.distrust('a name on two lines', at)
  builder.add({ kind: 'variable', quoted: mode.quoted, name, operator: '', operand: null })
}

export function* readBackticks(words: Words, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const start = cursor.at + 1
  let end = start
  while (end < cursor.end && words.text[end] !== '`') end += words.text[end] === '\\' ? 2 : 1
  if (end >= cursor.end) throw words.distrust('an open backtick', cursor.at)
  const source = backtickSource(words.source, start, end, mode.inDoubleQuotes)
  const items = yield* call(words.commands.inText(source, cursor.input))
  builder.add({ kind: 'substitution', quoted: mode.quoted, process: false, items })
  cursor.at = end + 1
}

export function* readProcess(words: Words, cursor: Cursor, builder: WordBuilder): Task<void> {
  const items = yield* readParenthesized(words, cursor)
  builder.add({ kind: 'substitution', quoted: false, process: true, items })
}

/** `$(…)`, `<(…)` or `>(…)`. */
function* readParenthesized(words: Words, cursor: Cursor): Task<ItemRange> {
  const { at, input } = cursor
  const { tree, text } = words
  const node = tree.expansionAt(at)
  if (node !== undefined) {
    cursor.at = tree.end(node)
    if (cursor.at > cursor.end) throw words.distrust('a substitution that ends too late', at)
    return yield* call(words.commands.inNode(node, input))
  }
  const closing = findClosing(text, at + 2, cursor.end)
  if (closing === undefined) throw words.distrust('a substitution without an end', at)
  cursor.at = closing + 1
  const inner = text.slice(at + 2, closing)
  const source = { text: inner, at: (offset: number) => words.source.at(at + 2 + offset) }
  return yield* call(words.commands.inText(source, input))
}

/** `$((…))` and `$[…]`; false: it is neither. */
function* readArithmetic(words: Words, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<boolean> {
  const { at, input } = cursor
  const end = findArithmeticEnd(words, cursor)
  if (end === undefined) return false
  cursor.at = end
  const length = words.text[at + 1] === '[' ? 1 : 2
  const closing = words.text.slice(end - length, end)
  if (end > cursor.end || closing !== (length === 1 ? ']' : '))')) {
    throw words.distrust('arithmetic without an end', at)
  }
  yield* call(words.substitutions({ start: at + 1 + length, end: end - length }, input, modes.arithmetic))
  builder.add({ kind: 'unknown', quoted: mode.quoted })
  return true
}

function findArithmeticEnd({ text, tree }: Words, { at, end }: Cursor): number | undefined {
  const node = tree.expansionAt(at)
  if (node !== undefined) return tree.isArithmetic(node) || tree.isSubshell(node) ? tree.end(node) : undefined
  if (text[at + 1] === '[') return undefined
  const inner = findClosing(text, at + 3, end)
  return inner !== undefined && text[inner + 1] === ')' ? inner + 2 : undefined
}

function readAnsiC(words: Words, cursor: Cursor, builder: WordBuilder, mode: Mode): void {
  if (mode.singleQuotes !== 'quote') throw words.distrust('a quote in an operand', cursor.at)
  const start = cursor.at + 2
  let end = start
  while (end < cursor.end && words.text[end] !== "'") end += words.text[end] === '\\' ? 2 : 1
  if (end >= cursor.end) throw words.distrust('an open quote', cursor.at)
  builder.literal(decodeAnsiC(words.text.slice(start, end)), true)
  cursor.at = end + 1
}
