// The script as the tree of tree-sitter-bash has it, as far as the tree agrees with the text. The grammar groups lists,
// pipelines and redirections otherwise than bash does, so of the tree only the tokens and the compound commands are used.

import type { HereDocument } from '../here-documents.js'
import type { Input, Item, ItemRange, Script, Source, Span } from '../script.js'
import { redirectedInput } from '../script.js'
import { parse, run, type Steps, type Task } from '../steps.js'
import { enterCompound } from './compounds.js'
import { Distrust, type Reader } from './reader.js'
import { SimpleCommand } from './simple-command.js'
import { type Position, type Token, Tokens } from './tokens.js'
import { Role, Tree } from './tree.js'

/** `unread` is where tree and text part; the lines before are in the script. */
export function* readTree(text: string, nodes: Int32Array): Steps<Script> {
  const script: Script = { items: [], functions: [], unread: null }
  let read = 0
  try {
    const onLine = () => {
      read = script.items.length
    }
    yield* run(new TextReader(script, { text, at: (offset) => offset }, nodes).all(null, onLine))
  } catch (error) {
    if (!(error instanceof Distrust)) throw error
    script.items.length = read
    script.unread = error.offset
  }
  return script
}

/** Reads one text. A nested text that needs a tree of its own gets a reader of its own. */
class TextReader implements Reader {
  readonly items: Item[]
  readonly functions: string[]
  readonly tree: Tree
  readonly #script: Script

  constructor(
    script: Script,
    readonly source: Source,
    nodes: Int32Array,
  ) {
    this.#script = script
    this.items = script.items
    this.functions = script.functions
    this.tree = new Tree(nodes, source.text)
  }

  all(input: Input | null, onLine?: () => void): Task<ItemRange> {
    const end = { node: this.tree.size, at: this.tree.text.length }
    return new List(this, { node: 0, at: 0 }, end, input).read(onLine)
  }

  *inNode(node: number, input: Input | null): Task<ItemRange> {
    const { tree } = this
    // Its first and last child are its parentheses.
    const opening = node + 1
    const closing = [...tree.children(node)].at(-1) as number
    if (tree.slice(closing) !== ')') throw this.distrust('a substitution without an end', tree.start(node))
    const from = { node: tree.next(opening), at: tree.end(opening) }
    return yield* new List(this, from, { node: closing, at: tree.start(closing) }, input).read()
  }

  *inText(source: Source, input: Input | null): Task<ItemRange> {
    const nodes = yield* parse(source.text)
    if (nodes === null) throw this.distrust('a text that takes too long to parse', 0)
    return yield* new TextReader(this.#script, source, nodes).all(input)
  }

  slice({ start, end }: Span): string {
    return this.source.text.slice(start, end)
  }

  distrust(reason: string, at: number): Distrust {
    return new Distrust(reason, this.source.at(at))
  }
}

interface Pipeline {
  /** What its first command reads. */
  outer: Input | null
  /** What the present one reads. */
  input: Input | null
  /** The first item of the present one. */
  from: number
  /** It needs a command yet: newlines do not end it. */
  isOpen: boolean
}

/** A compound command whose commands are being read. */
interface Frame {
  end: Position
  /** Behind its redirections, which are read before its commands. */
  after: Position
  redirections: SimpleCommand
  /** The one that it is part of. */
  pipeline: Pipeline
}

/** A list of commands, and what is nested in it without a substitution, in the order of the text. */
class List {
  readonly #reader: Reader
  readonly #items: Item[]
  readonly #tokens: Tokens
  readonly #end: Position
  readonly #frames: Frame[] = []
  /** Those whose bodies begin after the next newline. */
  #hereDocuments: HereDocument[] = []
  #pipeline: Pipeline
  /** Undefined before its first token. */
  #command: SimpleCommand | undefined
  /** A compound command has just ended; only an operator can follow. */
  #isAfterCompound = false

  constructor(reader: Reader, from: Position, end: Position, input: Input | null) {
    this.#reader = reader
    this.#items = reader.items
    this.#tokens = new Tokens(reader.tree, from)
    this.#end = end
    this.#pipeline = this.#newPipeline(input)
  }

  /** @param onLine called where a line of the outermost commands has ended */
  *read(onLine?: () => void): Task<ItemRange> {
    const from = this.#items.length
    for (;;) {
      const token = this.#tokens.peek(this.#limit)
      if (token.type === 'end') {
        yield* this.#endCommands(token)
        const frame = this.#frames.pop()
        if (frame === undefined) break
        this.#leave(frame)
      } else {
        yield* this.#take(token)
        if (token.type === 'newline' && this.#frames.length === 0) onLine?.()
      }
      yield undefined
    }
    if (this.#hereDocuments.length > 0)
      throw this.#reader.distrust('a here-document without a body', this.#end.at)
    return { from, to: this.#items.length }
  }

  get #limit(): Position {
    return this.#frames.at(-1)?.end ?? this.#end
  }

  *#take(token: Token): Task<void> {
    switch (token.type) {
      case 'newline':
        if (this.#command || this.#isAfterCompound) yield* this.#endCommands(token)
        this.#tokens.skip(token)
        if (this.#hereDocuments.length > 0) this.#skipBodies(token.end)
        return
      case 'compound':
        return yield* this.#enter(token)
      case 'operator':
        yield* this.#operator(token)
        break
      case 'keyword':
        // `)` may follow a command directly, the others only what has ended.
        if (this.#command && token.text !== ')')
          throw this.#reader.distrust('a keyword in a command', token.start)
        yield* this.#endCommands(token)
        break
      default:
        if (this.#isAfterCompound) throw this.#reader.distrust('a word after a compound command', token.start)
        if (token.text === '!' && !this.#command) this.#negate(token)
        else {
          this.#command ??= new SimpleCommand(this.#reader, this.#pipeline.input)
          yield* this.#command.add(token)
        }
    }
    this.#tokens.skip(token)
  }

  #negate(token: Token): void {
    const isPiped = this.#pipeline.input !== this.#pipeline.outer
    if (isPiped || !/[\s(]/.test(this.#reader.tree.text[token.end] ?? '\n')) {
      throw this.#reader.distrust('an exclamation mark that does not negate', token.start)
    }
    this.#pipeline.isOpen = true
  }

  *#operator(token: Token): Task<void> {
    const { text } = token
    const endsCaseItem = text.length > 1 && text.startsWith(';')
    if (!this.#command && !this.#isAfterCompound && !endsCaseItem) {
      throw this.#reader.distrust('an operator without a command', token.start)
    }
    yield* this.#endCommand(token)
    const { outer, from } = this.#pipeline
    if (text === '|' || text === '|&') {
      const to = this.#items.length
      this.#pipeline = { outer, input: { kind: 'pipe', items: { from, to } }, from: to, isOpen: true }
    } else {
      this.#pipeline = this.#newPipeline(outer)
      this.#pipeline.isOpen = text === '&&' || text === '||'
    }
  }

  *#endCommand(token: Token): Task<void> {
    const command = this.#command
    this.#isAfterCompound = false
    if (command === undefined) return
    this.#command = undefined
    const item = yield* command.finish()
    this.#hereDocuments.push(...command.hereDocuments)
    if (this.#hereDocuments.length > 0 && this.#reader.slice(command).replaceAll('\\\n', '').includes('\n')) {
      // A body would begin inside of a word.
      throw this.#reader.distrust('a word around a here-document', token.start)
    }
    command.applied.from = this.#items.length
    this.#items.push(item)
    command.applied.to = this.#items.length
    this.#pipeline.isOpen = false
  }

  /** Nothing may be open where commands end. */
  *#endCommands(token: Token): Task<void> {
    yield* this.#endCommand(token)
    if (this.#pipeline.isOpen) throw this.#reader.distrust('an operator without a command', token.start)
    this.#pipeline = this.#newPipeline(this.#pipeline.outer)
  }

  #newPipeline(input: Input | null): Pipeline {
    return { outer: input, input, from: this.#items.length, isOpen: false }
  }

  *#enter(token: Token): Task<void> {
    if (this.#command || this.#isAfterCompound) {
      throw this.#reader.distrust('a compound command in another one', token.start)
    }
    const pipeline = this.#pipeline
    if (token.role === Role.caseItem || token.role === Role.functionDefinition) {
      this.#tokens.position = yield* enterCompound(this.#reader, token, pipeline.input)
      return
    }
    const end = { node: this.#reader.tree.next(token.node), at: token.end }
    const { redirections, after } = yield* this.#redirectionsFrom(end)
    const input = redirectedInput(redirections.redirects, pipeline.input)
    redirections.applied.from = this.#items.length
    const position = yield* enterCompound(this.#reader, token, input)
    this.#frames.push({ end, after, redirections, pipeline })
    this.#pipeline = this.#newPipeline(input)
    this.#tokens.position = position
  }

  #leave({ after, redirections, pipeline }: Frame): void {
    redirections.applied.to = this.#items.length
    this.#hereDocuments.push(...redirections.hereDocuments)
    this.#pipeline = { ...pipeline, isOpen: false }
    this.#isAfterCompound = true
    this.#tokens.position = after
  }

  /** Those behind a compound command: they tell what its commands read. */
  *#redirectionsFrom(position: Position): Task<{ redirections: SimpleCommand; after: Position }> {
    const tokens = new Tokens(this.#reader.tree, position)
    const redirections = new SimpleCommand(this.#reader, this.#pipeline.input)
    let token = tokens.peek(this.#limit)
    for (; token.type === 'piece' || token.type === 'redirect'; token = tokens.peek(this.#limit)) {
      yield* redirections.add(token)
      tokens.skip(token)
    }
    const item = yield* redirections.finish()
    if (item.words.length + item.assignments.length > 0) {
      throw this.#reader.distrust('a word after a compound command', position.at)
    }
    if (item.redirects.length > 0) this.#items.push(item)
    return { redirections, after: tokens.position }
  }

  #skipBodies(start: number): void {
    let next = start
    for (const body of this.#hereDocuments) {
      if (body.start !== next) throw this.#reader.distrust('a here-document at an unexpected place', next)
      next = body.next
    }
    this.#hereDocuments = []
    this.#tokens.position = { node: this.#nodeBehind(next), at: next }
  }

  /** The first node after the bodies, if the tree has nothing else in them. */
  #nodeBehind(end: number): number {
    const { tree } = this.#reader
    const limit = this.#limit
    if (end > limit.at) throw this.#reader.distrust('a here-document that does not end', limit.at)
    let { node } = this.#tokens.position
    while (node < limit.node && tree.start(node) < end) {
      const role = tree.role(node)
      if (role === Role.transparent) node++
      else if (role > Role.hereDocument || role < Role.ignored || tree.end(node) > end) {
        throw this.#reader.distrust('a here-document with commands in it', tree.start(node))
      } else node = tree.next(node)
    }
    return node
  }
}
