// A simple command as its tokens come: assignments, words and redirections in any order.

import { declares } from '../declarations.js'
import { Distrust } from '../distrust.js'
import { findBody, type HereDocument, readDelimiter } from '../here-documents.js'
import type { Assignment, Input, ItemRange, Redirect, Span, Word } from '../script.js'
import type { Task } from '../task.js'
import type { Token } from './tokens.js'
import type { Words } from './words.js'

const reserved = new Set(
  '! [[ { } case coproc do done elif else esac fi for function if select then time until while'.split(' '),
)
const descriptor = /^(?:\d+|\{[A-Za-z_]\w*\})$/

interface OpenRedirect extends Span {
  node: number
  operator: Redirect['operator']
  descriptor: Redirect['descriptor']
}

export class SimpleCommand {
  readonly assignments: Assignment[] = []
  readonly words: Word[] = []
  readonly redirects: Redirect[] = []
  readonly hereDocuments: HereDocument[] = []
  /** The commands that the redirections apply to; filled in when they are known. */
  readonly applied: ItemRange = { from: 0, to: 0 }
  start = -1
  end = -1
  private word: Span | undefined
  private redirect: OpenRedirect | undefined

  constructor(
    private readonly reader: Words,
    readonly input: Input | null,
  ) {}

  get isEmpty(): boolean {
    return this.start === -1
  }

  *add(token: Token): Task<void> {
    if (token.type === 'redirect') return yield* this.addRedirect(token)
    if (this.word !== undefined && token.joined) this.word.end = token.end
    else {
      yield* this.endWord()
      this.word = { start: token.start, end: token.end }
    }
    this.extend(this.word)
  }

  /** No more tokens come. */
  *finish(): Task<void> {
    yield* this.endWord()
    if (this.redirect) throw this.distrust('a redirection without a target', this.redirect)
  }

  private *addRedirect(token: Token): Task<void> {
    const name = this.word
    const text = name && this.reader.slice(name)
    const described =
      name?.end === token.start && this.redirect === undefined && descriptor.test(text as string)
    if (described) this.word = undefined
    else yield* this.endWord()
    if (this.redirect) throw this.distrust('a redirection without a target', token)
    this.redirect = {
      node: token.node,
      start: described ? name.start : token.start,
      end: token.end,
      operator: token.text as Redirect['operator'],
      descriptor: described ? descriptorOf(text as string) : null,
    }
    this.extend(this.redirect)
    if (token.text.length === 3 && token.text.endsWith('&-')) {
      // The grammar has it as one token.
      this.redirect.operator = token.text.slice(0, 2) as '<&' | '>&'
      this.word = { start: token.end - 1, end: token.end }
    }
  }

  private *endWord(): Task<void> {
    const { word, redirect } = this
    if (word === undefined) return
    this.word = undefined
    if (redirect !== undefined) {
      this.redirect = undefined
      yield* this.endRedirect(redirect, word)
    } else if (this.words.length === 0) {
      yield* this.firstWord(word)
    } else {
      yield* this.argument(word)
    }
  }

  private *firstWord(word: Span): Task<void> {
    const assigned = yield* this.reader.assignment(word, this.input)
    if (assigned) {
      this.assignments.push(assigned.assignment)
      return
    }
    const isFirst = this.assignments.length === 0 && this.redirects.length === 0
    if (isFirst && reserved.has(this.reader.slice(word))) throw this.distrust('a reserved word', word)
    this.words.push(yield* this.reader.word(word, this.input))
  }

  private *argument(word: Span): Task<void> {
    if (declares(this.words[0] as Word)) {
      const assigned = yield* this.reader.assignment(word, this.input)
      if (assigned) {
        this.assignments.push(assigned.assignment)
        this.words.push(assigned.argument)
        return
      }
    }
    this.words.push(yield* this.reader.word(word, this.input))
  }

  private *endRedirect(open: OpenRedirect, word: Span): Task<void> {
    const { reader } = this
    const { operator, descriptor } = open
    const isHereDocument = operator === '<<' || operator === '<<-'
    const written = reader.slice(word).startsWith('>(')
    const target = isHereDocument
      ? yield* this.hereDocument(open, word)
      : yield* reader.word(word, written ? { kind: 'pipe', items: this.applied } : this.input)
    this.redirects.push({ ...reader.span(open.start, word.end), operator, descriptor, target })
  }

  private *hereDocument({ node, operator }: OpenRedirect, word: Span): Task<Word> {
    const { reader } = this
    const start = reader.tree.bodyBehind(node)
    if (start === undefined) throw this.distrust('a here-document without a body', word)
    const tabbed = operator === '<<-'
    const delimiter = readDelimiter(reader.slice(word), word.start)
    const body = findBody(reader.text, start, delimiter, tabbed)
    this.hereDocuments.push(body)
    return yield* reader.hereDocument(body, delimiter.quoted, tabbed, this.input)
  }

  private extend({ start, end }: Span): void {
    if (this.start === -1) this.start = start
    this.end = end
  }

  private distrust(reason: string, { start }: Span): Distrust {
    return new Distrust(reason, start)
  }
}

function descriptorOf(text: string): number | string {
  return text.startsWith('{') ? text.slice(1, -1) : Number(text)
}
