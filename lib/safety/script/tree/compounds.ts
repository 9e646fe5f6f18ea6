// How compound commands begin: what is read of them before their commands.

import type { Input, Span, Word } from '../script.js'
import type { Task } from '../task.js'
import type { TreeCommands } from './commands.js'
import * as modes from './modes.js'
import { endsWord, type Position, type Token, Tokens } from './tokens.js'
import { Role, type Tree } from './tree.js'

const functionHeader =
  /^(?:function[ \t]+[^\s()]+(?:[ \t]*\([ \t]*\))?|[^\s()]+[ \t]*\([ \t]*\))(?:\s|\\\n|#.*\n)*$/

/** What could be the end of `[[ … ]]`, or look like it. */
const closedTest = /[\s)]\]\](?![^\s;&|)<>])/

/** Reads up to where the commands begin. */
export function* enterCompound(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
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
function* readExpression(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
  const { tree, words } = reader
  const { node, start, end } = token
  const isTest = tree.text.startsWith('[[', start)
  if (!tree.text.startsWith(isTest ? ']]' : '))', end - 2)) throw words.distrust('an open expression', start)
  if (isTest && !isOneTest(tree.text, start, end)) throw words.distrust('an unusual test', start)
  const mode = isTest ? modes.expression : modes.arithmetic
  yield* words.substitutions({ start: start + 2, end: end - 2 }, input, mode)
  return { node: tree.next(node), at: end }
}

function isOneTest(text: string, start: number, end: number): boolean {
  return endsWord(text, start + 2) && endsWord(text, end) && !closedTest.test(text.slice(start, end - 2))
}

function* enterFor(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
  const { tree, words } = reader
  const body = find(tree, token.node, (child) => tree.role(child) === Role.transparent)
  if (body === undefined) throw words.distrust('a loop without a body', token.start)
  const limit = { node: body, at: tree.start(body) }
  const [loop, name, keyword, ...values] = headerWords(reader, token, limit)
  if (loop === undefined || name === undefined || (keyword && words.slice(keyword) !== 'in')) {
    throw words.distrust('an unusual loop', token.start)
  }
  const read: Word[] = []
  for (const value of values) read.push(yield* words.word(value, input))
  reader.script.items.push({
    kind: 'for',
    ...words.span(token.start, token.end),
    name: words.slice(name),
    words: keyword ? read : null,
  })
  return limit
}

function* enterCase(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
  const { tree, words } = reader
  const keyword = find(tree, token.node, (child) => isToken(tree, child, 'in'))
  if (keyword === undefined) throw words.distrust('an unusual case', token.start)
  const [, value, ...more] = headerWords(reader, token, { node: keyword, at: tree.start(keyword) })
  if (value === undefined || more.length > 0) throw words.distrust('an unusual case', token.start)
  yield* words.word(value, input)
  return behind(tree, keyword)
}

function* enterCaseItem(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
  const { tree, words } = reader
  const { node } = token
  const closing = find(tree, node, (child) => isToken(tree, child, ')'))
  if (closing === undefined) throw words.distrust('an unusual pattern', token.start)
  const limit = { node: closing, at: tree.start(closing) }
  for (const pattern of patterns(reader, token, limit)) yield* words.word(pattern, input)
  return behind(tree, closing)
}

/** The grammar would take whole commands for a pattern. */
function patterns({ tree, words }: TreeCommands, token: Token, limit: Position): Span[] {
  const found: Span[] = []
  const tokens = new Tokens(tree, { node: token.node + 1, at: token.start })
  const opening = tokens.peek(limit)
  if (opening.text === '(') tokens.skip(opening)
  let hasEnded = true
  for (let next = tokens.peek(limit); next.type !== 'end'; next = tokens.peek(limit)) {
    const last = found.at(-1)
    if (next.text === '|' && !hasEnded) hasEnded = true
    else if (next.type !== 'piece') throw words.distrust('an unusual pattern', next.start)
    else if (hasEnded) {
      found.push({ start: next.start, end: next.end })
      hasEnded = false
    } else if (last !== undefined && next.joined) last.end = next.end
    else throw words.distrust('an unusual pattern', next.start)
    tokens.skip(next)
  }
  const [first] = found
  const isEnd = opening.text !== '(' && first !== undefined && words.slice(first) === 'esac'
  if (hasEnded || isEnd) throw words.distrust('an unusual pattern', token.start)
  return found
}

function enterFunction({ tree, words }: TreeCommands, token: Token): Position {
  const body = find(tree, token.node, (child) => isCompound(tree.role(child)))
  if (body === undefined || !functionHeader.test(tree.text.slice(token.start, tree.start(body)))) {
    throw words.distrust('an unusual function', token.start)
  }
  return { node: body, at: tree.start(body) }
}

function* enterArithmeticFor(reader: TreeCommands, token: Token, input: Input | null): Task<Position> {
  const { tree, words } = reader
  const { node } = token
  const opening = find(tree, node, (child) => isToken(tree, child, '(('))
  const closing = find(tree, node, (child) => isToken(tree, child, '))'))
  if (opening === undefined || closing === undefined) throw words.distrust('an unusual loop', token.start)
  const span = { start: tree.end(opening), end: tree.start(closing) }
  yield* words.substitutions(span, input, modes.arithmetic)
  reader.script.items.push({ kind: 'for', ...words.span(token.start, token.end), name: '', words: null })
  const limit = behind(tree, node)
  const tokens = new Tokens(tree, behind(tree, closing))
  for (
    let next = tokens.peek(limit);
    next.type === 'newline' || next.text === ';';
    next = tokens.peek(limit)
  ) {
    tokens.skip(next)
  }
  return tokens.position
}

/** The words before the commands. */
function headerWords({ tree, words }: TreeCommands, token: Token, limit: Position): Span[] {
  const found: Span[] = []
  const tokens = new Tokens(tree, { node: token.node + 1, at: token.start })
  let hasEnded = false
  for (let next = tokens.peek(limit); next.type !== 'end'; next = tokens.peek(limit)) {
    const last = found.at(-1)
    if (next.type === 'newline' || next.text === ';') {
      // `for NAME` and `case WORD` may stand on a line of their own.
      hasEnded = found.length > 2
    } else if (next.type !== 'piece' || hasEnded) {
      throw words.distrust('an unusual compound command', next.start)
    } else if (last !== undefined && next.joined) {
      last.end = next.end
    } else {
      found.push({ start: next.start, end: next.end })
    }
    tokens.skip(next)
  }
  return found
}

function isCompound(role: Role): boolean {
  return role > Role.hereDocument
}

function isToken(tree: Tree, node: number, text: string): boolean {
  return tree.role(node) === Role.token && tree.slice(node) === text
}

function find(tree: Tree, node: number, matches: (child: number) => boolean): number | undefined {
  for (const child of tree.children(node)) if (matches(child)) return child
  return undefined
}

function behind(tree: Tree, node: number): Position {
  return { node: tree.next(node), at: tree.end(node) }
}
