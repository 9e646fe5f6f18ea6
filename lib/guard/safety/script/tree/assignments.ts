// Assignments, read from the text.

import { type Assignment, type Input, type Span, spanIn, type Word } from '../script.js'
import type { Task } from '../steps.js'
import { WordBuilder, withoutSubscripts } from '../word-builder.js'
import * as modes from './modes.js'
import type { Cursor, Reader } from './reader.js'
import { readWord, scan } from './words.js'

const assignmentStart = /([A-Za-z_]\w*)(\+?=|\[)/y
const subscripted = /^\w+\[[\s\S]*\]\+?=/

/** The assignment, and what it is as an argument of a command; undefined when it is none. */
export function* readAssignment(
  reader: Reader,
  span: Span,
  input: Input | null,
): Task<{ assignment: Assignment; argument: Word } | undefined> {
  const { text } = reader.source
  assignmentStart.lastIndex = span.start
  const [start, name, then] = assignmentStart.exec(text) ?? []
  if (start === undefined || name === undefined || span.start + start.length > span.end) {
    if (/^\w*\\\n[\w\\\n]*\+?[=[]/.test(reader.slice(span))) {
      throw reader.distrust('a name on two lines', span.start)
    }
    return undefined
  }
  const cursor: Cursor = { at: span.start + start.length, end: span.end, input }
  const builder = new WordBuilder()
  builder.literal(name, false)
  let equals = then as string
  const hasSubscript = equals === '['
  if (hasSubscript) {
    if (!subscripted.test(reader.slice(span))) return undefined
    yield* scan(reader, cursor, new WordBuilder(), modes.subscript)
    equals = /^\]\+?=/.exec(text.slice(cursor.at, cursor.at + 3))?.[0].slice(1) ?? ''
    if (equals === '') throw reader.distrust('an unusual subscript', cursor.at)
    cursor.at += 1 + equals.length
    builder.add({ kind: 'unknown', quoted: true })
  }
  builder.literal(equals, false)
  const elements = text[cursor.at] === '(' ? yield* readArray(reader, cursor) : null
  const value = elements === null ? yield* readWord(reader, { start: cursor.at, end: span.end }, input) : null
  for (const part of value?.parts ?? [{ kind: 'unknown', quoted: true } as const]) builder.add(part)
  const argument = builder.word(spanIn(reader.source, span.start, span.end))
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

function* readArray(reader: Reader, cursor: Cursor): Task<Word[]> {
  const { text } = reader.source
  const blank = /(?:[ \t\n]|\\\n|#.*)*/y
  const elements: Word[] = []
  cursor.at++
  for (;;) {
    blank.lastIndex = cursor.at
    blank.test(text)
    cursor.at = blank.lastIndex
    const { at } = cursor
    if (text[at] === ')' && at + 1 === cursor.end) return elements
    const builder = new WordBuilder()
    yield* scan(reader, cursor, builder, modes.element)
    if (cursor.at === at) throw reader.distrust('an array that does not end', at)
    let end = cursor.at
    while (text.endsWith('\\\n', end)) end -= 2
    elements.push(builder.word(spanIn(reader.source, at, end)))
  }
}
