// `${…}`.

import { readSubscript, sameElements } from '../arrays.js'
import type { WordPart } from '../script.js'
import { call, type Task } from '../task.js'
import { WordBuilder } from '../word-builder.js'
import type { Cursor } from './expansions.js'
import type { Mode } from './modes.js'
import * as modes from './modes.js'
import type { Words } from './words.js'

type Operator = (WordPart & { kind: 'variable' })['operator']

const length = /#(?=[\w@*?$!#-])(?![-?#]?\}|[-:?=+%#/])/y
const indirection = /!(?=[\w@*#])/y
const name = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y
const withOperand = /:?[-=?+]/y

export function* readParameter(words: Words, cursor: Cursor, builder: WordBuilder, mode: Mode): Task<void> {
  const start = cursor.at
  cursor.at += 2
  // It is the length, or names another variable.
  const isUnknown =
    take(words, cursor, length) !== undefined || take(words, cursor, indirection) !== undefined
  const parameter = take(words, cursor, name)
  if (parameter === undefined) throw words.distrust('an unusual expansion', start)
  const subscriptStart = cursor.at + 1
  const isElement = words.text[cursor.at] === '['
  if (isElement) yield* skipSubscript(words, cursor)
  const subscript = isElement ? readSubscript(words.text.slice(subscriptStart, cursor.at - 1)) : undefined
  const operator = take(words, cursor, withOperand) as Operator | undefined
  let part: WordPart = {
    kind: 'variable',
    quoted: mode.quoted,
    name: parameter,
    operator: operator ?? '',
    operand: null,
  }
  const operand = new WordBuilder()
  const from = cursor.at
  yield* call(words.scan(cursor, operand, operandMode(words, cursor, mode, operator)))
  if (cursor.at >= cursor.end) throw words.distrust('an open expansion', start)
  const span = words.span(from, cursor.at)
  const written = operand.word(span.start, span.end)
  if (subscript !== undefined && cursor.at === from && operator === undefined) {
    part = { kind: 'elements', quoted: mode.quoted, name: parameter, subscript }
  } else if (isElement || (operator === undefined && cursor.at > from)) {
    part.operator = 'other'
    if (operator?.endsWith('+')) part = sameElements(parameter, written) ?? part
  } else if (operator !== undefined) {
    part.operand = written
  }
  cursor.at++
  builder.add(isUnknown ? { kind: 'unknown', quoted: mode.quoted } : part)
}

/** Of patterns the single quotes quote, also between double quotes. */
function operandMode(words: Words, cursor: Cursor, mode: Mode, operator: Operator | undefined): Mode {
  const operand = mode.operand()
  const isPattern = operator === undefined && /[%#/^,]/.test(words.text[cursor.at] as string)
  return isPattern && operand === modes.quotedOperand ? modes.quotedPattern : operand
}

function* skipSubscript(words: Words, cursor: Cursor): Task<void> {
  cursor.at++
  yield* call(words.scan(cursor, new WordBuilder(), modes.subscript))
  if (words.text[cursor.at] !== ']') throw words.distrust('an open subscript', cursor.at)
  cursor.at++
}

function take({ text }: Words, cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const taken = pattern.exec(text)?.[0]
  cursor.at += taken?.length ?? 0
  return taken
}
