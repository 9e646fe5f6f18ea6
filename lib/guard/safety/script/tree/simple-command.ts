// A simple command as its tokens come: assignments, words and redirections in any order.

import { removeLeadingTabs } from '../escapes.js'
import { findBody, type HereDocument } from '../here-documents.js'
import type { Assignment, Command, Input, ItemRange, Redirect, Span, Word } from '../script.js'
import { spanIn } from '../script.js'
import type { Task } from '../steps.js'
import { declares, reserved, WordBuilder } from '../word-builder.js'
import { readAssignment } from './assignments.js'
import { readDelimiter } from './delimiter.js'
import * as modes from './modes.js'
import { Distrust, type Reader } from './reader.js'
import type { Token } from './tokens.js'
import { readAll, readWord } from './words.js'

const descriptor = /^(?:\d+|\{[A-Za-z_]\w*(?:\[.+\])?\})$/s
const plainWord = /^[^\\'"$`<>|&;\s()]+$/

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
  readonly #reader: Reader
  readonly #input: Input | null
  #word: Span | undefined
  #redirect: OpenRedirect | undefined

  constructor(reader: Reader, input: Input | null) {
    this.#reader = reader
    this.#input = input
  }

  *add(token: Token): Task<void> {
    if (this.start === -1) this.start = token.start
    this.end = token.end
    if (token.type === 'redirect') return yield* this.#addRedirect(token)
    if (this.#word !== undefined && token.joined) this.#word.end = token.end
    else {
      yield* this.#endWord()
      this.#word = { start: token.start, end: token.end }
    }
  }

  /** No more tokens come. */
  *finish(): Task<Command> {
    yield* this.#endWord()
    if (this.#redirect) throw new Distrust('a redirection without a target', this.#redirect.start)
    const { assignments, words, redirects } = this
    const span = spanIn(this.#reader.source, this.start, this.end)
    return { kind: 'command', ...span, assignments, words, redirects, input: this.#input }
  }

  *#addRedirect({ node, start, end, text }: Token): Task<void> {
    const before = this.#word
    const name = before?.end === start && this.#redirect === undefined ? this.#reader.slice(before) : ''
    const described = !text.startsWith('&') && descriptor.test(name) ? before : undefined
    if (described) this.#word = undefined
    else yield* this.#endWord()
    if (this.#redirect) throw new Distrust('a redirection without a target', start)
    // The grammar has `<&-` as one token.
    const closes = text.length === 3 && text.endsWith('&-')
    this.#redirect = {
      node,
      start: described?.start ?? start,
      end,
      operator: (closes ? text.slice(0, 2) : text) as Redirect['operator'],
      descriptor: described ? (name.startsWith('{') ? name.slice(1, -1) : Number(name)) : null,
    }
    if (closes) this.#word = { start: end - 1, end }
  }

  *#endWord(): Task<void> {
    const word = this.#word
    const redirect = this.#redirect
    if (word === undefined) return
    this.#word = undefined
    if (redirect !== undefined) {
      this.#redirect = undefined
      return yield* this.#endRedirect(redirect, word)
    }
    const [name] = this.words
    const text = this.#reader.slice(word)
    // Most words have neither, and so need no closer look.
    if (/[=[]/.test(text) && (name === undefined || declares(name))) {
      const assigned = yield* readAssignment(this.#reader, word, this.#input)
      if (assigned) {
        this.assignments.push(assigned.assignment)
        if (name !== undefined) this.words.push(assigned.argument)
        return
      }
    }
    const isFirst = this.words.length + this.assignments.length + this.redirects.length === 0
    if (isFirst && reserved.has(text)) throw new Distrust('a reserved word', word.start)
    if (plainWord.test(text)) {
      const { start, end } = spanIn(this.#reader.source, word.start, word.end)
      this.words.push({ start, end, parts: [{ kind: 'literal', quoted: false, text }] })
    } else {
      this.words.push(yield* readWord(this.#reader, word, this.#input))
    }
  }

  *#endRedirect(open: OpenRedirect, word: Span): Task<void> {
    const { operator, descriptor } = open
    const isHereDocument = operator === '<<' || operator === '<<-'
    const written = this.#reader.slice(word).startsWith('>(')
    const target = isHereDocument
      ? yield* this.#hereDocument(open, word)
      : yield* readWord(this.#reader, word, written ? { kind: 'pipe', items: this.applied } : this.#input)
    const span = spanIn(this.#reader.source, open.start, word.end)
    this.redirects.push({ ...span, operator, descriptor, target })
  }

  *#hereDocument({ node, operator }: OpenRedirect, word: Span): Task<Word> {
    const { source, tree } = this.#reader
    const bodyStart = tree.bodyBehind(node)
    if (bodyStart === undefined) throw new Distrust('a here-document without a body', word.start)
    const tabbed = operator === '<<-'
    const delimiter = readDelimiter(this.#reader.slice(word), word.start)
    const body = findBody(source.text, bodyStart, delimiter, tabbed)
    this.hereDocuments.push(body)
    const builder = new WordBuilder()
    const { start, end } = body
    if (delimiter.quoted) {
      const text = this.#reader.slice(body)
      if (text !== '') builder.literal(tabbed ? removeLeadingTabs(text) : text, true)
    } else {
      const cursor = { at: start, end, input: this.#input, tabbedFrom: tabbed ? start : undefined }
      yield* readAll(this.#reader, cursor, builder, modes.hereDocument)
    }
    return builder.word(spanIn(source, start, end))
  }
}
