// How compound commands begin: what is read of them before their commands.

import { type Input, type Span, spanIn, type Word } from '../script.js'
import type { Task } from '../steps.js'
import * as modes from './modes.js'
import type { Reader } from './reader.js'
import { endsWord, type Position, type Token, Tokens } from './tokens.js'
import { Role, type Tree } from './tree.js'
import { readSubstitutions, readWord } from './words.js'

const functionHeader =
  /^(?:function[ \t]+([^\s()]+)(?:[ \t]*\([ \t]*\))?|([^\s()]+)[ \t]*\([ \t]*\))(?:\s|\\\n|#.*\n)*$/

/** What could be the end of `[[ … ]]`, or look like it. */
const closedTest = /[\s)]\]\](?![^\s;&|)<>])/

/** Reads up to where the commands begin. */
export function* enterCompound(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  switch (token.role) {
    case Role.forLoop:
      return yield* enterFor(reader, token, input)
    case Role.arithmeticFor:
      return yield* enterArithmeticFor(reader, token, input)
    case Role.caseCommand:
      return yield* enterCase(reader, token, input)
    case Role.caseItem:
      return yield* enterCaseItem(reader, token, input)
    case Role.functionDefinition:
      return enterFunction(reader, token)
    case Role.expression:
      return yield* readExpression(reader, token, input)
    default:
      return { node: token.node + 1, at: tree.start(token.node) }
  }
}

/** `[[ … ]]` and `(( … ))` have no commands, but substitutions. */
function* readExpression(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  const { node, start, end } = token
  const isTest = tree.text.startsWith('[[', start)
  if (!tree.text.startsWith(isTest ? ']]' : '))', end - 2)) throw reader.distrust('an open expression', start)
  if (isTest && !isOneTest(tree.text, start, end)) throw reader.distrust('an unusual test', start)
  const mode = isTest ? modes.expression : modes.arithmetic
  yield* readSubstitutions(reader, { start: start + 2, end: end - 2 }, input, mode)
  return { node: tree.next(node), at: end }
}

function isOneTest(text: string, start: number, end: number): boolean {
  return endsWord(text, start + 2) && endsWord(text, end) && !closedTest.test(text.slice(start, end - 2))
}

function* enterFor(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  const body = find(reader, token, (child) => tree.role(child) === Role.transparent)
  const limit = { node: body, at: tree.start(body) }
  const [loop, name, keyword, ...values] = headerWords(reader, token, limit)
  if (loop === undefined || name === undefined || (keyword && reader.slice(keyword) !== 'in')) {
    throw reader.distrust('an unusual loop', token.start)
  }
  const read: Word[] = []
  for (const value of values) read.push(yield* readWord(reader, value, input))
  reader.items.push({
    kind: 'for',
    ...spanIn(reader.source, token.start, token.end),
    name: reader.slice(name),
    words: keyword ? read : null,
  })
  return limit
}

function* enterCase(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  const keyword = findToken(reader, token, 'in')
  const [, value, ...more] = headerWords(reader, token, { node: keyword, at: tree.start(keyword) })
  if (value === undefined || more.length > 0) throw reader.distrust('an unusual case', token.start)
  yield* readWord(reader, value, input)
  return behind(tree, keyword)
}

function* enterCaseItem(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  const closing = findToken(reader, token, ')')
  const limit = { node: closing, at: tree.start(closing) }
  for (const pattern of patterns(reader, token, limit)) yield* readWord(reader, pattern, input)
  return behind(tree, closing)
}

/** The grammar would take whole commands for a pattern. */
function patterns(reader: Reader, token: Token, limit: Position): Span[] {
  const found: Span[] = []
  const tokens = new Tokens(reader.tree, { node: token.node + 1, at: token.start })
  const opening = tokens.peek(limit)
  if (opening.text === '(') tokens.skip(opening)
  let hasEnded = true
  for (let next = tokens.peek(limit); next.type !== 'end'; next = tokens.peek(limit)) {
    const last = found.at(-1)
    if (next.text === '|' && !hasEnded) hasEnded = true
    else if (next.type !== 'piece') throw reader.distrust('an unusual pattern', next.start)
    else if (hasEnded) {
      found.push({ start: next.start, end: next.end })
      hasEnded = false
    } else if (last !== undefined && next.joined) last.end = next.end
    else throw reader.distrust('an unusual pattern', next.start)
    tokens.skip(next)
  }
  const [first] = found
  const isEnd = opening.text !== '(' && first !== undefined && reader.slice(first) === 'esac'
  if (hasEnded || isEnd) throw reader.distrust('an unusual pattern', token.start)
  return found
}

function enterFunction(reader: Reader, token: Token): Position {
  const { tree } = reader
  const body = find(reader, token, (child) => tree.role(child) > Role.hereDocument)
  const [, keyworded, name = keyworded] =
    functionHeader.exec(tree.text.slice(token.start, tree.start(body))) ?? []
  if (name === undefined) throw reader.distrust('an unusual function', token.start)
  reader.functions.push(name)
  return { node: body, at: tree.start(body) }
}

function* enterArithmeticFor(reader: Reader, token: Token, input: Input | null): Task<Position> {
  const { tree } = reader
  const opening = findToken(reader, token, '((')
  const closing = findToken(reader, token, '))')
  const span = { start: tree.end(opening), end: tree.start(closing) }
  yield* readSubstitutions(reader, span, input, modes.arithmetic)
  reader.items.push({ kind: 'for', ...spanIn(reader.source, token.start, token.end), name: '', words: null })
  const limit = behind(tree, token.node)
  const tokens = new Tokens(tree, behind(tree, closing))
  let next = tokens.peek(limit)
  for (; next.type === 'newline' || next.text === ';'; next = tokens.peek(limit)) tokens.skip(next)
  return tokens.position
}

/** The words before the commands. */
function headerWords(reader: Reader, token: Token, limit: Position): Span[] {
  const found: Span[] = []
  const tokens = new Tokens(reader.tree, { node: token.node + 1, at: token.start })
  let hasEnded = false
  for (let next = tokens.peek(limit); next.type !== 'end'; next = tokens.peek(limit)) {
    const last = found.at(-1)
    if (next.type === 'newline' || next.text === ';') {
      // `for NAME` and `case WORD` may stand on a line of their own.
      hasEnded = found.length > 2
    } else if (next.type !== 'piece' || hasEnded) {
      throw reader.distrust('an unusual compound command', next.start)
    } else if (last !== undefined && next.joined) {
      last.end = next.end
    } else {
      found.push({ start: next.start, end: next.end })
    }
    tokens.skip(next)
  }
  return found
}

function findToken(reader: Reader, compound: Token, text: string): number {
  const { tree } = reader
  return find(reader, compound, (child) => tree.role(child) === Role.token && tree.slice(child) === text)
}

function find(reader: Reader, { node, start }: Token, matches: (child: number) => boolean): number {
  for (const child of reader.tree.children(node)) if (matches(child)) return child
  throw reader.distrust('an unusual compound command', start)
}

function behind(tree: Tree, node: number): Position {
  return { node: tree.next(node), at: tree.end(node) }
}
