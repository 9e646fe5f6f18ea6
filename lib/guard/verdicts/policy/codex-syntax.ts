// Calls with literal arguments, `name(key = "text", list = ["a", ["b", "c"]])`: as much of Starlark as a list of rules is
// written in (github.com/bazelbuild/starlark, spec.md).

import { invalid } from './policy-error.js'

export type Value = string | boolean | null | Value[]

export interface Call {
  name: string
  /** From 1. */
  line: number
  values: Map<string, Value>
}

/** Of lists in lists. */
const maxDepth = 8
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/** @throws {BashError} ERR_POLICY with the line */
export function readCalls(text: string, from: string): Call[] {
  return new Reader(text, from).calls()
}

class Reader {
  readonly #text: string
  readonly #from: string
  #at = 0

  constructor(text: string, from: string) {
    this.#text = text
    this.#from = from
  }

  calls(): Call[] {
    const calls: Call[] = []
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      const line = this.#line()
      const name = this.#take(/[A-Za-z_]\w*/y)
      this.#skip()
      if (name === undefined || !this.#has('(')) throw this.#fail('only calls are read: this is a program')
      calls.push({ name, line, values: this.#arguments() })
    }
    return calls
  }

  #arguments(): Map<string, Value> {
    const values = new Map<string, Value>()
    for (;;) {
      this.#skip()
      if (this.#has(')')) return values
      const key = this.#take(/[A-Za-z_]\w*/y)
      this.#skip()
      if (key === undefined || !this.#has('=')) throw this.#fail('an argument must have a name')
      if (values.has(key)) throw this.#fail(`${key} is given twice`)
      values.set(key, this.#value(0))
      this.#separator(')')
    }
  }

  #value(depth: number): Value {
    this.#skip()
    if (this.#has('[')) return this.#list(depth)
    if (/r?["']/y.test(this.#text.slice(this.#at, this.#at + 2))) return this.#string()
    const word = this.#take(/(?:None|True|False)(?!\w)/y)
    if (word === undefined) throw this.#fail('only strings and lists are read: this is a program')
    return word === 'None' ? null : word === 'True'
  }

  #list(depth: number): Value[] {
    if (depth === maxDepth) throw this.#fail('lists are nested too deeply')
    const list: Value[] = []
    for (;;) {
      this.#skip()
      if (this.#has(']')) return list
      list.push(this.#value(depth + 1))
      this.#separator(']')
    }
  }

  #string(): string {
    const isRaw = this.#has('r')
    const quote = this.#take(/"""|'''|["']/y) ?? ''
    let value = ''
    while (!this.#has(quote)) {
      const character = this.#text[this.#at]
      if (character === undefined || (character === '\n' && quote.length === 1)) {
        throw this.#fail('a string has no end')
      }
      this.#at++
      if (character !== '\\') value += character
      else if (isRaw) value += `\\${this.#text[this.#at++] ?? ''}`
      else value += this.#escape()
    }
    return value
  }

  #escape(): string {
    const text = escapes[this.#text[this.#at] ?? '']
    if (text === undefined) throw this.#fail('a string has an escape that is not read')
    this.#at++
    return text
  }

  /** A comma, or the end, which is left to be read. */
  #separator(end: string): void {
    this.#skip()
    if (this.#has(',') || this.#text.startsWith(end, this.#at)) return
    throw this.#fail(`\`,\` or \`${end}\` is missing: this is a program`)
  }

  /** Blanks and comments. */
  #skip(): void {
    this.#take(/(?:\s|#.*)+/y)
  }

  #has(text: string): boolean {
    const isThere = this.#text.startsWith(text, this.#at)
    if (isThere) this.#at += text.length
    return isThere
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const taken = pattern.exec(this.#text)?.[0]
    this.#at += taken?.length ?? 0
    return taken
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }

  #fail(message: string): Error {
    return invalid(`${this.#from}:${this.#line()}`, message)
  }
}
