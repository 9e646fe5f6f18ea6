// The tokens of a list of commands, in the order of the text. Where the tree and the text do not agree on what is
// between two of them, reading ends.

import { Distrust } from '../distrust.js'
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
  private peeked: Token | undefined

  constructor(
    private readonly tree: Tree,
    public position: Position,
  ) {}

  /** @param limit where the last token ends */
  peek(limit: Position): Token {
    this.peeked ??= this.read(limit)
    return this.peeked
  }

  /** Goes behind a token that was peeked, with all of its children. */
  skip(token: Token): void {
    this.moveTo({ node: token.type === 'newline' ? token.node : this.tree.next(token.node), at: token.end })
  }

  moveTo(position: Position): void {
    this.position = position
    this.peeked = undefined
  }

  private read(limit: Position): Token {
    const { tree } = this
    const { at } = this.position
    let { node } = this.position
    while (node < limit.node) {
      if (tree.isBroken(node)) throw new Distrust('an error in the tree', tree.start(node))
      const role = tree.role(node)
      if (role === Role.ignored) node = tree.next(node)
      else if (role === Role.transparent) node++
      else {
        this.position = { node, at }
        return this.blank(tree.start(node)) ?? this.tokenAt(node, role)
      }
    }
    this.position = { node, at }
    return (
      this.blank(limit.at) ?? {
        type: 'end',
        node,
        role: Role.token,
        start: limit.at,
        end: limit.at,
        text: '',
        joined: false,
      }
    )
  }

  /** Accounts for the text before the next node; a newline in it is a token. */
  private blank(to: number): Token | undefined {
    const { text } = this.tree
    const { node } = this.position
    for (let at = this.position.at; at < to; at++) {
      switch (text[at]) {
        case ' ':
        case '\t':
          break
        case '\n':
          return {
            type: 'newline',
            node,
            role: Role.token,
            start: at,
            end: at + 1,
            text: '\n',
            joined: false,
          }
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
    if (this.position.at > to) throw new Distrust('nodes that overlap', to)
    return undefined
  }

  private tokenAt(node: number, role: Role): Token {
    const { tree } = this
    const start = tree.start(node)
    const end = tree.end(node)
    const text = role === Role.token ? tree.text.slice(start, end) : ''
    const joined = /^(\\\n)*$/.test(tree.text.slice(this.position.at, start))
    return { type: this.typeOf(text, role, start), node, role, start, end, text, joined }
  }

  private typeOf(text: string, role: Role, start: number): Token['type'] {
    if (role === Role.piece) return 'piece'
    if (role === Role.hereDocument) throw new Distrust('a here-document at an unexpected place', start)
    if (role !== Role.token) return 'compound'
    if (text === '<&-' || text === '>&-') return 'redirect'
    const operator = matchAt(operators, this.tree.text, start)
    const redirect = matchAt(redirects, this.tree.text, start)
    if (redirect === text) return 'redirect'
    // `&>` starts with what is an operator elsewhere.
    if (redirect === undefined && operator === text) return 'operator'
    if (redirect !== undefined || operator !== undefined)
      throw new Distrust('an operator cut in pieces', start)
    if (!keywords.has(text)) return 'piece'
    if (!/[()]/.test(text) && !endsWord(this.tree.text, start + text.length)) {
      throw new Distrust('a keyword that is part of a word', start)
    }
    return 'keyword'
  }
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
