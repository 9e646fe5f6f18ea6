// The tokens of a list of commands, in the order of the text. Where the tree and the text do not agree on what is
// between two of them, reading ends.

import { Distrust } from './reader.js'
import { Role, type Tree } from './tree.js'

export interface Token {
  type: 'piece' | 'redirect' | 'operator' | 'keyword' | 'newline' | 'compound' | 'end'
  node: number
  role: Role
  start: number
  end: number
  text: string
  /** Nothing but escaped newlines stands before it. */
  joined: boolean
}

/** Where a stream is: all of the text before `at`, and of the nodes before `node`, has been seen. */
export interface Position {
  node: number
  at: number
}

const keywords = new Set('if then elif else fi while until do done esac { } ( )'.split(' '))
const operators = /;;&|;&|;;|&&|\|\||\|&|[;&|]/y
const redirects = /&>>|&>|>>|>&|>\||<<<|<<-|<<|<&|<>|[<>]/y

export class Tokens {
  /** Set it to continue elsewhere. */
  position: Position
  readonly #tree: Tree

  constructor(tree: Tree, position: Position) {
    this.#tree = tree
    this.position = position
  }

  /**
   * The next token, which stays the next one until it is skipped.
   *
   * @param limit where the last token ends
   */
  peek(limit: Position): Token {
    const tree = this.#tree
    const { at } = this.position
    let { node } = this.position
    let role = Role.transparent
    for (; node < limit.node; node = role === Role.ignored ? tree.next(node) : node + 1) {
      if (tree.isBroken(node)) throw new Distrust('an error in the tree', tree.start(node))
      role = tree.role(node)
      if (role !== Role.transparent && role !== Role.ignored) break
    }
    this.position = { node, at }
    const isEnd = node >= limit.node
    const start = isEnd ? limit.at : tree.start(node)
    const newline = findNewline(tree.text, at, start)
    if (newline !== undefined) return outside('newline', node, newline, '\n')
    if (isEnd) return outside('end', node, start, '')
    const end = tree.end(node)
    const text = role === Role.token ? tree.text.slice(start, end) : ''
    const joined = /^(\\\n)*$/.test(tree.text.slice(at, start))
    return { type: typeOf(text, role, tree.text, start), node, role, start, end, text, joined }
  }

  /** Goes behind a token that was peeked, with all of its children. */
  skip({ type, node, end }: Token): void {
    this.position = { node: type === 'newline' ? node : this.#tree.next(node), at: end }
  }
}

/** A token that is no node of the tree. */
function outside(type: Token['type'], node: number, start: number, text: string): Token {
  return { type, node, role: Role.token, start, end: start + text.length, text, joined: false }
}

/** Accounts for the text between two nodes, up to the first newline that is not escaped. */
function findNewline(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    switch (text[at]) {
      case ' ':
      case '\t':
        break
      case '\n':
        return at
      case '\\':
        if (text[++at] !== '\n') throw new Distrust('an escape outside of a word', at)
        break
      case '#':
        if (!startsComment(text, at)) throw new Distrust('a comment inside a word', at)
        at = endOfLine(text, at) - 1
        if (at >= to) throw new Distrust('a comment with nodes in it', to)
        break
      default:
        throw new Distrust('text that is not in the tree', at)
    }
  }
  if (from > to) throw new Distrust('nodes that overlap', to)
  return undefined
}

function typeOf(token: string, role: Role, text: string, start: number): Token['type'] {
  if (role === Role.piece) return 'piece'
  if (role === Role.hereDocument) throw new Distrust('a here-document at an unexpected place', start)
  if (role !== Role.token) return 'compound'
  if (token === '<&-' || token === '>&-') return 'redirect'
  const operator = matchAt(operators, text, start)
  const redirect = matchAt(redirects, text, start)
  if (redirect === token) return 'redirect'
  // `&>` starts with what is an operator elsewhere.
  if (redirect === undefined && operator === token) return 'operator'
  if (redirect !== undefined || operator !== undefined) throw new Distrust('an operator cut in pieces', start)
  if (!keywords.has(token)) return 'piece'
  if (!/[()]/.test(token) && !endsWord(text, start + token.length)) {
    throw new Distrust('a keyword that is part of a word', start)
  }
  return 'keyword'
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Nothing that belongs to the same word stands there. */
export function endsWord(text: string, at: number): boolean {
  return at >= text.length || /[ \t\n;&|()<>]/.test(text[at] as string)
}

/** It begins one where a word could begin. An escaped newline is not such a place. */
function startsComment(text: string, at: number): boolean {
  return at === 0 || (/[\s;&|()<>]/.test(text[at - 1] as string) && text[at - 2] !== '\\')
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline
}
