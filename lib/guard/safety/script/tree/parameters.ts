// `${…}`.

import { spanIn, type WordPart } from '../script.js'
import { call, type Task } from '../steps.js'
import { readSubscript, sameElements, WordBuilder } from '../word-builder.js'
import * as modes from './modes.js'
import type { Cursor, Reader } from './reader.js'

type Operator = (WordPart & { kind: 'variable' })['operator']

/** Reads to the end that the mode has: the operand is a text like others. */
type Scan = (reader: Reader, cursor: Cursor, builder: WordBuilder, mode: modes.Mode) => Task<void>

const length = /#(?=[\w@*?$!#-])(?![-?#]?\}|[-:?=+%#/])/y
const indirection = /!(?=[\w@*#])/y
const name = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y
const withOperand = /:?[-=?+]/y

export function* readParameter(reader: Reader, cursor: Cursor, mode: modes.Mode, scan: Scan): Task<WordPart> {
  const { text } = reader.source
  const { quoted } = mode
  const start = cursor.at
  cursor.at += 2
  // It is the length, or names another variable.
  const isUnknown = (take(text, cursor, length) ?? take(text, cursor, indirection)) !== undefined
  const parameter = take(text, cursor, name)
  if (parameter === undefined) throw reader.distrust('an unusual expansion', start)
  const subscriptStart = cursor.at + 1
  const isElement = text[cursor.at] === '['
  if (isElement) {
    cursor.at++
    yield* call(scan(reader, cursor, new WordBuilder(), modes.subscript))
    if (text[cursor.at] !== ']') throw reader.distrust('an open subscript', cursor.at)
    cursor.at++
  }
  const subscript = isElement ? readSubscript(text.slice(subscriptStart, cursor.at - 1)) : undefined
  const operator = take(text, cursor, withOperand) as Operator | undefined
  const from = cursor.at
  const builder = new WordBuilder()
  yield* call(scan(reader, cursor, builder, operandMode(text, cursor, mode, operator)))
  if (cursor.at >= cursor.end) throw reader.distrust('an open expansion', start)
  const operand = builder.word(spanIn(reader.source, from, cursor.at))
  const hasMore = cursor.at > from
  cursor.at++
  if (isUnknown) return { kind: 'unknown', quoted }
  if (subscript !== undefined && !hasMore && operator === undefined) {
    return { kind: 'elements', quoted, name: parameter, subscript }
  }
  if (isElement || (operator === undefined && hasMore)) {
    const same = operator?.endsWith('+') ? sameElements(parameter, operand) : undefined
    return same ?? { kind: 'variable', quoted, name: parameter, operator: 'other', operand: null }
  }
  if (operator === undefined)
    return { kind: 'variable', quoted, name: parameter, operator: '', operand: null }
  return { kind: 'variable', quoted, name: parameter, operator, operand }
}

/** Of patterns the single quotes quote, also between double quotes. */
function operandMode(text: string, { at }: Cursor, mode: modes.Mode, operator?: Operator): modes.Mode {
  const operand = mode.operand()
  const isPattern = operator === undefined && /[%#/^,]/.test(text[at] as string)
  return isPattern && operand === modes.quotedOperand ? modes.quotedPattern : operand
}

function take(text: string, cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const taken = pattern.exec(text)?.[0]
  cursor.at += taken?.length ?? 0
  return taken
}
