// The commands of a script in the order of its text, as unbash reads them.

import type { Assignment, Command, Input, ItemRange, Redirect, Script, Source, Word } from '../script.js'
import { redirectedInput } from '../script.js'
import type { Task } from '../steps.js'
import { declares } from '../word-builder.js'
import type * as ast from './unbash.js'
import { unbash } from './unbash.js'
import { spanOf, UnbashWords } from './words.js'

type Node = ast.PipelineNode | ast.AndOr | ast.CompoundList

export class UnbashCommands {
  readonly #source: Source
  readonly #script: Script
  readonly #words: UnbashWords

  constructor(source: Source, script: Script) {
    this.#source = source
    this.#script = script
    this.#words = new UnbashWords(source, (parsed, inner, input) => {
      const commands = inner === source ? this : new UnbashCommands(inner, script)
      return atOnce(commands.#list(parsed, input))
    })
  }

  /**
   * The commands of the lines that end before `limit`.
   *
   * @returns the first statement that does not
   */
  *before(limit: number, parsed: ast.ParsedScript, input: Input | null): Task<ast.Statement | undefined> {
    for (const statement of parsed.commands) {
      if (limit !== Number.POSITIVE_INFINITY && !this.#endsBefore(limit, statement)) return statement
      yield* this.#node(statement.command, input)
    }
    return undefined
  }

  /** @param offset of what cannot be read */
  stopAt(offset: number): void {
    this.#script.unread = Math.min(this.#script.unread ?? Number.POSITIVE_INFINITY, this.#source.at(offset))
  }

  *#list(parsed: ast.ParsedScript, input: Input | null): Task<ItemRange> {
    const from = this.#script.items.length
    const error = parsed.errors?.[0]?.pos
    if (error !== undefined) this.stopAt(error)
    yield* this.before(error ?? Number.POSITIVE_INFINITY, parsed, input)
    return { from, to: this.#script.items.length }
  }

  /** Of what stands in one line, or one compound command, bash runs nothing when its end is wrong. */
  #endsBefore(limit: number, statement: ast.Statement): boolean {
    return isClosed(statement) && this.#source.text.slice(statement.end, limit).includes('\n')
  }

  *#node(node: Node, input: Input | null): Task<void> {
    switch (node.type) {
      case 'AndOr':
        for (const command of node.commands) yield* this.#node(command, input)
        return
      case 'CompoundList':
        for (const statement of node.commands) yield* this.#node(statement.command, input)
        return
      case 'Pipeline':
        yield* this.#pipeline(node, input)
        return
      case 'Command':
        yield* this.#command(node, input)
        return
      case 'Redirected':
        yield* this.#redirected(node, input)
        return
      case 'Function':
        this.#script.functions.push(node.name.text)
        yield* this.#node(node.body, input)
        return
      case 'Coproc':
      case 'Subshell':
      case 'BraceGroup':
        yield* this.#node(node.body, input)
        return
      case 'If':
        yield* this.#node(node.clause, input)
        yield* this.#node(node.then, input)
        for (const branch of node.elif) {
          yield* this.#node(branch.clause, input)
          yield* this.#node(branch.then, input)
        }
        if (node.else) yield* this.#node(node.else, input)
        return
      case 'While':
        yield* this.#node(node.clause, input)
        yield* this.#node(node.body, input)
        return
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map((word) => this.#words.word(word, input)) ?? null
        this.#loop(node, node.name.value, words)
        yield* this.#node(node.body, input)
        return
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) {
          if (part) this.#words.substitutionsIn(part, input)
        }
        this.#loop(node, '', null)
        yield* this.#node(node.body, input)
        return
      case 'Case':
        this.#words.substitutionsIn(node.word, input)
        for (const item of node.items) {
          for (const pattern of item.pattern) this.#words.substitutionsIn(pattern, input)
          yield* this.#node(item.body, input)
        }
        return
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.#words.substitutionsIn(node, input)
    }
  }

  *#pipeline(node: ast.Pipeline, input: Input | null): Task<void> {
    let stageInput = input
    for (const stage of node.commands) {
      const from = this.#script.items.length
      yield* this.#node(stage, stageInput)
      stageInput = { kind: 'pipe', items: { from, to: this.#script.items.length } }
    }
  }

  #loop(node: ast.For | ast.Select | ast.ArithmeticFor, name: string, words: Word[] | null): void {
    this.#script.items.push({ kind: 'for', ...spanOf(this.#source, node.pos, node.end), name, words })
  }

  *#redirected(node: ast.Redirected, input: Input | null): Task<void> {
    const { items } = this.#script
    const applied = { from: 0, to: 0 }
    const redirects = node.redirects.map((redirect) => this.#words.redirect(redirect, applied, input))
    const { pos } = node.redirects[0] as ast.Redirection
    this.#push(pos, node.end, { assignments: [], words: [], redirects, input })
    applied.from = items.length
    yield* this.#node(node.command, redirectedInput(redirects, input))
    applied.to = items.length
  }

  *#command(node: ast.Command, input: Input | null): Task<void> {
    const assignments: Assignment[] = []
    const words: Word[] = []
    const redirects: Redirect[] = []
    const applied = { from: 0, to: 0 }
    let end = -1
    for (const child of node.name ? [...node.prefix, node.name, ...node.suffix] : node.prefix) {
      if (child.type === 'Word' || child.type === 'Assignment') {
        if (child.pos === end || isUnreadArray(child)) this.stopAt(child.pos)
        end = child.end
      }
      if (child.type === 'Word') {
        const word = this.#words.word(child, input)
        if (!this.#isDescriptor(child)) words.push(word)
      } else if (child.type !== 'Assignment') redirects.push(this.#words.redirect(child, applied, input))
      else {
        const { assignment, argument } = this.#words.assignment(child, input)
        if (words.length > 0) words.push(argument)
        if (words.length === 0 || declares(words[0] as Word)) assignments.push(assignment)
      }
    }
    applied.from = this.#script.items.length
    this.#push(node.pos, node.end, { assignments, words, redirects, input })
    applied.to = this.#script.items.length
    yield undefined
  }

  /** unbash takes a `{NAME["SUBSCRIPT"]}` before a redirection for an argument: it is where bash puts the descriptor. */
  #isDescriptor({ pos, end }: ast.Word): boolean {
    const { text } = this.#source
    return (text[end] === '<' || text[end] === '>') && /^\{[A-Za-z_]\w*\[.+\]\}$/s.test(text.slice(pos, end))
  }

  #push(start: number, end: number, command: Omit<Command, 'kind' | 'start' | 'end'>): void {
    this.#script.items.push({ kind: 'command', ...spanOf(this.#source, start, end), ...command })
  }
}

/** Substitutions are read in the middle of a word. */
function atOnce<Result>(task: Task<Result>): Result {
  for (;;) {
    const { done, value } = task.next()
    if (done) return value
  }
}

/** unbash takes `NAME=(…)` for a word when a newline is escaped behind it, and cuts `NAME[0]=<(…)` in two. */
function isUnreadArray(node: ast.Word | ast.Assignment): boolean {
  return node.type === 'Assignment' && node.value.type === 'Word' && node.value.text.startsWith('(')
}

const leaves = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'HereDoc'])

/** A compound command without its end has none in the tree either. */
function isClosed(node: ast.SyntaxNode): boolean {
  if (leaves.has(node.type)) return true
  if (node.end === node.pos && node.type !== 'CompoundList') return false
  let closed = true
  unbash().forEachChild(node, (child) => {
    closed &&= isClosed(child)
  })
  return closed
}
