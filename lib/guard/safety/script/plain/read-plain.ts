// Scripts in which nothing is nested: lists and pipelines of simple commands, whose words have quotes and variables. Most
// commands are like that, and need no parser: it would take five times as long. Anything else is left to the other
// readers, and so is whatever looks unusual.

import type { Assignment, Command, Input, Redirect, Script, Word } from '../script.js'
import type { Steps } from '../steps.js'
import { declares, reserved, WordBuilder } from '../word-builder.js'
import { PlainText } from './plain-text.js'

/** Words and operators between two offers to pause. */
const tokensPerStep = 64

/** @returns null for a script that is not plain */
export function* readPlain(text: string): Steps<Script | null> {
  const reader = new PlainReader(text)
  for (let tokens = 1; ; tokens++) {
    const progress = reader.readToken()
    if (progress === 'refused') return null
    if (progress === 'ended') return reader.script()
    if (tokens % tokensPerStep === 0) yield undefined
  }
}

type Progress = 'read' | 'refused' | 'ended'

const none: readonly never[] = []

const redirects = /&>>|&>|>>|>&|>\||<<<|<<|<&|<>|[<>]/y
const number = /^\d+$/
/** `{NAME}` or `{NAME[SUBSCRIPT]}`, about. */
const variableName = /^\{[A-Za-z_].*\}$/s
const assignmentStart = /([A-Za-z_]\w*)(\+?=|\[)/y

class PlainReader {
  readonly items: Command[] = []
  /** What has been read of a command. */
  #start: number | undefined
  #end = 0
  #assignments: Assignment[] = []
  #words: Word[] = []
  #redirects: Redirect[] = []
  /** Whether its arguments may be assignments. */
  #declares = false
  /** What the command reads, or the next one. */
  #input: Input | null = null
  /** An operator needs a command behind it: newlines do not end it. */
  #isOpen = false
  /** How many items stand on lines that have ended. */
  #onLines = 0
  readonly #text: PlainText

  constructor(text: string) {
    this.#text = new PlainText(text)
  }

  /** The script, once the text has ended. bash runs the lines before an operator without a command. */
  script(): Script {
    if (this.#isOpen) this.items.length = this.#onLines
    return { items: this.items, functions: [], unread: this.#isOpen ? this.#text.at : null }
  }

  readToken(): Progress {
    const text = this.#text
    text.skipBlanks()
    switch (text.next) {
      case '':
        this.#endCommand()
        return 'ended'
      case '\n':
        // An open pipeline goes on, but a line before an error counts even then.
        if (!this.#isOpen) this.#endCommand()
        this.#onLines = this.items.length
        text.at++
        return 'read'
      case '#':
        return text.skipComment() ? 'read' : 'refused'
      case ';':
        return this.#operator(';')
      case '|':
        return this.#pipe()
      case '&':
        if (text.startsWith('&>')) return this.#redirect(text.at, null)
        return this.#operator(text.startsWith('&&') ? '&&' : '&')
      case '<':
      case '>':
        return this.#redirect(text.at, null)
      default:
        return this.#wordOrAssignment()
    }
  }

  #pipe(): Progress {
    const text = this.#text
    if (text.startsWith('||')) return this.#operator('||')
    const read = this.#operator(text.startsWith('|&') ? '|&' : '|')
    const to = this.items.length
    this.#input = { kind: 'pipe', items: { from: to - 1, to } }
    return read
  }

  #operator(operator: ';' | '&' | '&&' | '||' | '|' | '|&'): Progress {
    if (this.#start === undefined) return 'refused'
    this.#endCommand()
    this.#isOpen = operator !== ';' && operator !== '&'
    this.#text.at += operator.length
    return 'read'
  }

  #endCommand(): void {
    if (this.#start === undefined) return
    this.items.push({
      kind: 'command',
      start: this.#start,
      end: this.#end,
      assignments: withoutRoom(this.#assignments),
      words: withoutRoom(this.#words),
      redirects: withoutRoom(this.#redirects),
      input: this.#input,
    })
    this.#start = undefined
    if (this.#assignments.length > 0) this.#assignments = []
    if (this.#words.length > 0) this.#words = []
    if (this.#redirects.length > 0) this.#redirects = []
    this.#input = null
  }

  /** What has just been read belongs to the command. */
  #extendCommand(start: number): void {
    this.#start ??= start
    this.#end = this.#text.at
    this.#isOpen = false
  }

  #wordOrAssignment(): Progress {
    const text = this.#text
    const start = text.at
    const assigned = this.#assignment()
    if (assigned !== undefined) return assigned
    const word = text.word()
    if (word === undefined) return 'refused'
    if (text.next === '<' || text.next === '>') {
      const source = text.from(start)
      if (number.test(source)) return this.#redirect(start, Number(source))
      if (variableName.test(source)) return 'refused'
    }
    if (this.#start === undefined && reserved.has(text.from(start))) return 'refused'
    if (this.#words.length === 0) this.#declares = declares(word)
    this.#extendCommand(start)
    this.#words.push(word)
    return 'read'
  }

  /** Undefined: there is none. */
  #assignment(): Progress | undefined {
    const text = this.#text
    const start = text.at
    const hasName = this.#words.length > 0
    if (hasName && !this.#declares) return undefined
    const [read, variable, equals] = text.match(assignmentStart) ?? []
    if (read === undefined || variable === undefined) return undefined
    if (equals === '[') return 'refused'
    text.at += read.length
    const value = text.word()
    if (value === undefined) return 'refused'
    this.#extendCommand(start)
    const append = equals === '+='
    const assignment: Assignment = { start, end: text.at, name: variable, append, value, elements: null }
    this.#assignments.push(assignment)
    if (!hasName) return 'read'
    const argument = new WordBuilder()
    argument.literal(read, false)
    for (const part of value.parts) argument.add(part)
    this.#words.push(argument.word(assignment))
    return 'read'
  }

  #redirect(start: number, descriptor: number | null): Progress {
    const text = this.#text
    const [operator] = text.match(redirects) ?? []
    if (operator === undefined || operator === '<<') return 'refused'
    text.at += operator.length
    text.skipBlanks()
    const targetStart = text.at
    if (text.next === '#') return 'refused'
    const target = text.word()
    if (target === undefined || text.at === targetStart) return 'refused'
    if (isUnusual(operator, text.from(targetStart), text.next)) return 'refused'
    this.#extendCommand(start)
    const redirect = { start, end: text.at, operator: operator as Redirect['operator'], descriptor, target }
    this.#redirects.push(redirect)
    return 'read'
  }
}

/** An array that has grown has room for more; a long script has many. */
function withoutRoom<Element>(list: readonly Element[]): readonly Element[] {
  return list.length === 0 ? none : list.slice()
}

/** Whether bash would cut the target of a redirection in two, or take it for the descriptor of the next one. */
function isUnusual(operator: string, target: string, next: string): boolean {
  const copies = operator === '<&' || operator === '>&'
  if (copies && target.length > 1 && target.startsWith('-')) return true
  return (next === '<' || next === '>') && ((!copies && number.test(target)) || variableName.test(target))
}
