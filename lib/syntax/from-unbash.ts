// The script as unbash reads it. It is the second opinion: where the tree of tree-sitter-bash cannot be trusted.

import { declares } from './declarations.js'
import { redirectedInput } from './input.js'
import { type Source, wholeText } from './offsets.js'
import type { Assignment, Command, Input, ItemRange, Redirect, Script, Word } from './script.js'
import type * as ast from './unbash.js'
import { unbash } from './unbash.js'
import { spanOf, UnbashWords } from './unbash-words.js'

/** Characters. unbash runs on the JavaScript thread, and takes a millisecond for as much ordinary text. */
const maxLength = 160_000
/** Characters times substitutions and here-documents: nested or unclosed, each is searched to the end of the text. */
const maxWork = 100_000_000

const searched = /[$<>]\(|\$\{|<<|`/g

/** Null: too much to be read without blocking the JavaScript thread. */
export function readWithUnbash(text: string): Script | null {
  if (text.length > maxLength || (text.match(searched)?.length ?? 0) * text.length > maxWork) return null
  try {
    return new UnbashReader(wholeText(text)).read(unbash().parse(text))
  } catch (error) {
    // Its recursion is bounded, but not everywhere.
    if (error instanceof RangeError) return { items: [], unread: 0 }
    throw error
  }
}

type Node = ast.PipelineNode | ast.AndOr | ast.CompoundList

class UnbashReader {
  private readonly words: UnbashWords

  constructor(
    private readonly source: Source,
    private readonly script: Script = { items: [], unread: null },
  ) {
    this.words = new UnbashWords(source, (parsed, inner, input) => {
      const reader = inner === source ? this : new UnbashReader(inner, script)
      return reader.list(parsed, input)
    })
  }

  read(parsed: ast.ParsedScript): Script {
    this.list(parsed, null)
    return this.script
  }

  private list(parsed: ast.ParsedScript, input: Input | null): ItemRange {
    const from = this.script.items.length
    const error = parsed.errors?.[0]?.pos
    if (error !== undefined) this.stopAt(error)
    for (const statement of parsed.commands) {
      if (error !== undefined && !this.runsBefore(error, statement)) break
      this.node(statement.command, input)
    }
    return { from, to: this.script.items.length }
  }

  private stopAt(offset: number): void {
    this.script.unread = Math.min(this.script.unread ?? Number.POSITIVE_INFINITY, this.source.at(offset))
  }

  /** Of what stands in one line, or one compound command, bash runs nothing when its end is wrong. */
  private runsBefore(error: number, statement: ast.Statement): boolean {
    return isClosed(statement) && this.source.text.slice(statement.end, error).includes('\n')
  }

  private node(node: Node, input: Input | null): void {
    switch (node.type) {
      case 'AndOr':
        for (const command of node.commands) this.node(command, input)
        return
      case 'CompoundList':
        for (const statement of node.commands) this.node(statement.command, input)
        return
      case 'Pipeline':
        this.pipeline(node, input)
        return
      case 'Command':
        this.command(node, input)
        return
      case 'Redirected':
        this.redirected(node, input)
        return
      case 'Function':
      case 'Coproc':
      case 'Subshell':
      case 'BraceGroup':
        this.node(node.body, input)
        return
      default:
        this.compound(node, input)
    }
  }

  private pipeline(node: ast.Pipeline, input: Input | null): void {
    let stageInput = input
    for (const stage of node.commands) {
      const from = this.script.items.length
      this.node(stage, stageInput)
      stageInput = { kind: 'pipe', items: { from, to: this.script.items.length } }
    }
  }

  private compound(
    node: Exclude<ast.CompoundCommand, ast.Subshell | ast.BraceGroup>,
    input: Input | null,
  ): void {
    switch (node.type) {
      case 'If':
        this.node(node.clause, input)
        this.node(node.then, input)
        for (const branch of node.elif) {
          this.node(branch.clause, input)
          this.node(branch.then, input)
        }
        if (node.else) this.node(node.else, input)
        return
      case 'While':
        this.node(node.clause, input)
        this.node(node.body, input)
        return
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map((word) => this.words.word(word, input)) ?? null
        this.loop(node, node.name.value, words)
        this.node(node.body, input)
        return
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) {
          if (part) this.words.substitutionsIn(part, input)
        }
        this.loop(node, '', null)
        this.node(node.body, input)
        return
      case 'Case':
        this.words.substitutionsIn(node.word, input)
        for (const item of node.items) {
          for (const pattern of item.pattern) this.words.substitutionsIn(pattern, input)
          this.node(item.body, input)
        }
        return
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.words.substitutionsIn(node, input)
    }
  }

  private loop(node: ast.For | ast.Select | ast.ArithmeticFor, name: string, words: Word[] | null): void {
    this.script.items.push({ kind: 'for', ...spanOf(this.source, node.pos, node.end), name, words })
  }

  private redirected(node: ast.Redirected, input: Input | null): void {
    const { items } = this.script
    const applied = { from: 0, to: 0 }
    const redirects = node.redirects.map((redirect) => this.words.redirect(redirect, applied, input))
    const { pos } = node.redirects[0] as ast.Redirection
    this.push(pos, node.end, { assignments: [], words: [], redirects, input })
    applied.from = items.length
    this.node(node.command, redirectedInput(redirects, input))
    applied.to = items.length
  }

  private command(node: ast.Command, input: Input | null): void {
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
      if (child.type === 'Word') words.push(this.words.word(child, input))
      else if (child.type !== 'Assignment') redirects.push(this.words.redirect(child, applied, input))
      else {
        const { assignment, argument } = this.words.assignment(child, input)
        if (words.length > 0) words.push(argument)
        if (words.length === 0 || declares(words[0] as Word)) assignments.push(assignment)
      }
    }
    applied.from = this.script.items.length
    this.push(node.pos, node.end, { assignments, words, redirects, input })
    applied.to = this.script.items.length
  }

  private push(start: number, end: number, command: Omit<Command, 'kind' | 'start' | 'end'>): void {
    this.script.items.push({ kind: 'command', ...spanOf(this.source, start, end), ...command })
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
