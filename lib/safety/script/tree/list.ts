// A list of commands, and what is nested in it without a substitution, in the order of the text. The grammar groups
// lists, pipelines and redirections otherwise than bash does, so of the tree only the tokens and the compound commands
// are used.

import type { HereDocument } from '../here-documents.js'
import { redirectedInput } from '../input.js'
import type { Input, ItemRange } from '../script.js'
import type { Task } from '../task.js'
import type { TreeCommands } from './commands.js'
import { enterCompound } from './compounds.js'
import { SimpleCommand } from './simple-command.js'
import { type Position, type Token, Tokens } from './tokens.js'
import { Role } from './tree.js'

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

export class List {
  private readonly tokens: Tokens
  private readonly first: number
  private readonly frames: Frame[] = []
  /** Those whose bodies begin after the next newline. */
  private hereDocuments: HereDocument[] = []
  private pipeline: Pipeline
  private command: SimpleCommand
  /** A compound command has just ended; only an operator can follow. */
  private isAfterCompound = false

  constructor(
    private readonly reader: TreeCommands,
    from: Position,
    private readonly end: Position,
    input: Input | null,
  ) {
    this.tokens = new Tokens(reader.tree, from)
    this.first = this.itemCount
    this.pipeline = this.newPipeline(input)
    this.command = this.newCommand()
  }

  /** @param onLine called where a line of the outermost commands has ended */
  *read(onLine?: () => void): Task<ItemRange> {
    for (;;) {
      const token = this.tokens.peek(this.limit)
      if (token.type === 'end') {
        yield* this.endCommands(token)
        const frame = this.frames.pop()
        if (frame === undefined) break
        this.leave(frame)
      } else {
        yield* this.token(token)
        if (token.type === 'newline' && this.frames.length === 0) onLine?.()
      }
      yield undefined
    }
    if (this.hereDocuments.length > 0) throw this.distrust('a here-document without a body', this.end.at)
    return { from: this.first, to: this.itemCount }
  }

  private get limit(): Position {
    return this.frames.at(-1)?.end ?? this.end
  }

  private get itemCount(): number {
    return this.reader.script.items.length
  }

  private *token(token: Token): Task<void> {
    switch (token.type) {
      case 'newline':
        return yield* this.newline(token)
      case 'compound':
        return yield* this.enter(token)
      case 'operator':
        yield* this.operator(token)
        break
      case 'keyword':
        // `)` may follow a command directly, the others only what has ended.
        if (!this.command.isEmpty && token.text !== ')')
          throw this.distrust('a keyword in a command', token.start)
        yield* this.endCommands(token)
        break
      default:
        if (this.isAfterCompound) throw this.distrust('a word after a compound command', token.start)
        if (token.text === '!' && this.command.isEmpty) this.negate(token)
        else yield* this.command.add(token)
    }
    this.tokens.skip(token)
  }

  private negate(token: Token): void {
    const isPiped = this.pipeline.input !== this.pipeline.outer
    if (isPiped || !/[\s(]/.test(this.reader.tree.text[token.end] ?? '\n')) {
      throw this.distrust('an exclamation mark that does not negate', token.start)
    }
    this.pipeline.isOpen = true
  }

  private *newline(token: Token): Task<void> {
    if (this.hasCommand) {
      yield* this.endCommand(token)
      this.endPipeline()
    }
    this.tokens.skip(token)
    if (this.hereDocuments.length > 0) this.skipBodies(token.end)
  }

  private *operator(token: Token): Task<void> {
    const { text } = token
    const endsCaseItem = text.length > 1 && text.startsWith(';')
    if (!this.hasCommand && !endsCaseItem) throw this.distrust('an operator without a command', token.start)
    yield* this.endCommand(token)
    if (text === '|' || text === '|&') {
      const { outer, from } = this.pipeline
      const input: Input = { kind: 'pipe', items: { from, to: this.itemCount } }
      this.pipeline = { outer, input, from: this.itemCount, isOpen: true }
      this.command = this.newCommand()
    } else {
      this.endPipeline()
      this.pipeline.isOpen = text === '&&' || text === '||'
    }
  }

  private get hasCommand(): boolean {
    return !this.command.isEmpty || this.isAfterCompound
  }

  private *endCommand(token: Token): Task<void> {
    const { command } = this
    this.isAfterCompound = false
    if (command.isEmpty) return
    yield* command.finish()
    if (this.spansBodies(command)) throw this.distrust('a word around a here-document', token.start)
    command.applied.from = this.itemCount
    this.push(command)
    command.applied.to = this.itemCount
    this.hereDocuments.push(...command.hereDocuments)
    this.command = this.newCommand()
    this.pipeline.isOpen = false
  }

  /** Nothing may be open where commands end. */
  private *endCommands(token: Token): Task<void> {
    yield* this.endCommand(token)
    if (this.pipeline.isOpen) throw this.distrust('an operator without a command', token.start)
    this.endPipeline()
  }

  private endPipeline(): void {
    this.pipeline = this.newPipeline(this.pipeline.outer)
    this.command = this.newCommand()
  }

  private newPipeline(input: Input | null): Pipeline {
    return { outer: input, input, from: this.itemCount, isOpen: false }
  }

  private newCommand(): SimpleCommand {
    return new SimpleCommand(this.reader.words, this.pipeline.input)
  }

  private push({ start, end, assignments, words, redirects, input }: SimpleCommand): void {
    const span = this.reader.words.span(start, end)
    this.reader.script.items.push({ kind: 'command', ...span, assignments, words, redirects, input })
  }

  private *enter(token: Token): Task<void> {
    const { reader, tokens, pipeline } = this
    if (this.hasCommand) throw this.distrust('a compound command in another one', token.start)
    if (token.role === Role.caseItem || token.role === Role.functionDefinition) {
      tokens.moveTo(yield* enterCompound(reader, token, pipeline.input))
      return
    }
    const end = { node: reader.tree.next(token.node), at: token.end }
    const { redirections, after } = yield* this.redirectionsFrom(end)
    const input = redirectedInput(redirections.redirects, pipeline.input)
    redirections.applied.from = this.itemCount
    const position = yield* enterCompound(reader, token, input)
    this.frames.push({ end, after, redirections, pipeline })
    this.pipeline = this.newPipeline(input)
    this.command = this.newCommand()
    tokens.moveTo(position)
  }

  private leave({ after, redirections, pipeline }: Frame): void {
    redirections.applied.to = this.itemCount
    this.hereDocuments.push(...redirections.hereDocuments)
    this.pipeline = { ...pipeline, isOpen: false }
    this.command = this.newCommand()
    this.isAfterCompound = true
    this.tokens.moveTo(after)
  }

  /** Those behind a compound command: they tell what its commands read. */
  private *redirectionsFrom(position: Position): Task<{ redirections: SimpleCommand; after: Position }> {
    const tokens = new Tokens(this.reader.tree, position)
    const redirections = this.newCommand()
    for (let token = tokens.peek(this.limit); isWordPart(token); token = tokens.peek(this.limit)) {
      yield* redirections.add(token)
      tokens.skip(token)
    }
    if (!redirections.isEmpty) {
      yield* redirections.finish()
      if (redirections.words.length + redirections.assignments.length > 0) {
        throw this.distrust('a word after a compound command', position.at)
      }
      this.push(redirections)
    }
    return { redirections, after: tokens.position }
  }

  private skipBodies(start: number): void {
    let next = start
    for (const body of this.hereDocuments) {
      if (body.start !== next) throw this.distrust('a here-document at an unexpected place', next)
      next = body.next
    }
    this.hereDocuments = []
    this.tokens.moveTo({ node: this.nodeBehind(next), at: next })
  }

  /** The first node after the bodies, if the tree has nothing else in them. */
  private nodeBehind(end: number): number {
    const { tree } = this.reader
    const limit = this.limit
    if (end > limit.at) throw this.distrust('a here-document that does not end', limit.at)
    let { node } = this.tokens.position
    while (node < limit.node && tree.start(node) < end) {
      const role = tree.role(node)
      if (role === Role.transparent) node++
      else if (role > Role.hereDocument || role < Role.ignored || tree.end(node) > end) {
        throw this.distrust('a here-document with commands in it', tree.start(node))
      } else node = tree.next(node)
    }
    return node
  }

  /** A body would begin inside of a word. */
  private spansBodies({ start, end, hereDocuments }: SimpleCommand): boolean {
    if (this.hereDocuments.length + hereDocuments.length === 0) return false
    return this.reader.tree.text.slice(start, end).replaceAll('\\\n', '').includes('\n')
  }

  private distrust(reason: string, at: number): Error {
    return this.reader.words.distrust(reason, at)
  }
}

function isWordPart({ type }: Token): boolean {
  return type === 'piece' || type === 'redirect'
}
