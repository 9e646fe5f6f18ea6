// Whether a script of sed is known to only read: no `w`, `W`, `e`, `r`, `R`, no `s///w`, no `s///e`.
//
// It is read as strictly as the strictest sed would, and what GNU sed and busybox may read in two ways is not known:
// text for one of them may be commands for the other.

import { show } from '../show.js'
import { endsOfExpression, hidesCharacters, plainEndOf } from './delimited.js'

/**
 * What is accepted means the same with -n, -E and -s, and without.
 *
 * @param script those of several `-e` joined by newlines
 * @returns null: it only reads; otherwise what writes, or is not known
 */
export function sedReads(script: string): string | null {
  if (hidesCharacters(script)) return 'a script of sed that some encodings read in another way'
  return new SedScanner(script).scan()
}

/** Commands without anything behind them. */
const plainCommands = 'dDgGhHnNpPx=z'
/** Commands that may have a number. */
const numberCommands = 'qQl'
const isDelimiter = /^[/|,#:!@%+=_~;^&"'-]$/
/** Any sed refuses the script when it comes upon one of these among the flags of `s`. */
const noFlag = /^[A-DFHJKLN-VX-Za-dfhj-lnoq-vxyz]$/
const effects: ReadonlyMap<string, string> = new Map([
  ['w', 'writes a file'],
  ['W', 'writes a file'],
  ['e', 'runs a command'],
])

class SedScanner {
  readonly #script: string
  #index = 0
  #depth = 0
  #hasLabel = false
  #hasLongText = false

  constructor(script: string) {
    this.#script = script
  }

  scan(): string | null {
    for (;;) {
      this.#skip(/[ \t\n;]/)
      if (this.#next() === '') break
      const wrong = this.#command()
      if (wrong !== null) return wrong
    }
    if (this.#depth > 0) return this.#unread('{')
    // For some a label goes to the end of the line, and what looks like a text of several lines is none.
    return this.#hasLabel && this.#hasLongText ? this.#unread(':') : null
  }

  /** Empty at the end. */
  #next(): string {
    return this.#script.charAt(this.#index)
  }

  #skip(characters: RegExp): void {
    while (this.#next() !== '' && characters.test(this.#next())) this.#index++
  }

  #skipBlanks(): void {
    this.#skip(/[ \t]/)
  }

  /** @returns what is wrong, as all methods that read */
  #command(): string | null {
    const start = this.#index
    const addresses = this.#addresses()
    if (addresses !== null) return addresses
    const hasAddress = this.#index > start
    this.#skipBlanks()
    if (this.#next() === '!') {
      this.#index++
      this.#skipBlanks()
    }
    const name = this.#next()
    this.#index++
    if (name === '{') {
      this.#depth++
      return null
    }
    if (name === '}') return this.#depth-- > 0 && !hasAddress ? this.#end() : this.#unread(name)
    if (name === '#') return hasAddress ? this.#unread(name) : this.#comment()
    if (name === '') return this.#unread(this.#script.slice(start))
    if (plainCommands.includes(name)) return this.#end()
    if (numberCommands.includes(name)) {
      this.#skipBlanks()
      this.#skip(/\d/)
      return this.#end()
    }
    if (name === 's') return this.#substitute()
    if (name === 'y') return this.#transliterate()
    if ('aic'.includes(name)) return this.#text(name)
    if ('btT'.includes(name) || (name === ':' && !hasAddress)) return this.#label(name)
    return `${show(name)} of sed ${effects.get(name) ?? 'is not known to only read'}`
  }

  #addresses(): string | null {
    const first = this.#address(/^(?:\d+(?:~\d+)?|\$)/)
    if (first !== null) return first
    const end = this.#index
    this.#skipBlanks()
    if (this.#next() !== ',' || end === 0) return null
    this.#index++
    this.#skipBlanks()
    const start = this.#index
    const second = this.#address(/^(?:[+~]?\d+|\$)/)
    return second ?? (this.#index === start ? this.#unread(',') : null)
  }

  /** Reads one if there is one. */
  #address(number: RegExp): string | null {
    const match = number.exec(this.#script.slice(this.#index, this.#index + 40))
    if (match !== null) {
      this.#index += match[0].length
      return /\d/.test(this.#next()) ? this.#unread(match[0]) : null
    }
    const start = this.#index
    if (this.#next() === '\\') this.#index++
    else if (this.#next() !== '/') return null
    const delimiter = this.#next()
    if (!isDelimiter.test(delimiter)) return this.#unread(this.#script.slice(start))
    const ends = endsOfExpression(this.#script, this.#index + 1, delimiter)
    // Where an expression ends within brackets, their end is no command: any such sed refuses the script.
    const isOne =
      ends !== null && (ends.end === ends.plainEnd || this.#script.charAt(ends.plainEnd + 1) === ']')
    if (!isOne) return this.#unread(this.#script.slice(start))
    this.#index = ends.end + 1
    this.#skip(/[IM]/)
    return null
  }

  /** Nothing but a comment or a brace may stand between a command and the end of its line. */
  #end(): string | null {
    this.#skipBlanks()
    return /^[;\n}#]?$/.test(this.#next()) ? null : this.#unread(this.#script.slice(this.#index))
  }

  #comment(): string | null {
    const start = this.#index - 1
    const end = this.#endOfLine()
    const comment = this.#script.slice(start, end)
    this.#index = end
    // busybox ends it at a carriage return, and joins lines.
    return /\r|\\$/.test(comment) ? this.#unread(comment) : null
  }

  #substitute(): string | null {
    const start = this.#index - 1
    const unread = () => this.#unread(this.#script.slice(start))
    const delimiter = this.#next()
    if (!isDelimiter.test(delimiter)) return unread()
    const ends = endsOfExpression(this.#script, this.#index + 1, delimiter)
    if (ends === null) return unread()
    if (ends.end !== ends.plainEnd && !this.#isRefused(ends.plainEnd, delimiter)) return unread()
    const end = this.#endOfReplacement(ends.end + 1, delimiter)
    if (end === null) return unread()
    this.#index = end + 1
    this.#skip(/[gpiIM\d]/)
    const flag = this.#next()
    if ('weW'.includes(flag) && flag !== '') return `flag ${show(flag)} of \`s\` of sed ${effects.get(flag)}`
    return this.#end()
  }

  /** Whether any sed refuses the flags of `s`, if the expression ends here. */
  #isRefused(endOfExpression: number, delimiter: string): boolean {
    const end = plainEndOf(this.#script, endOfExpression + 1, delimiter)
    if (end === null) return false
    const flag = this.#script.charAt(end + 1)
    return flag === delimiter ? !/[;#]/.test(flag) : noFlag.test(flag)
  }

  /** A newline in it is behind a backslash. */
  #endOfReplacement(start: number, delimiter: string): number | null {
    for (let index = start; index < this.#script.length; index++) {
      const character = this.#script.charAt(index)
      if (character === delimiter) return index
      if (character === '\n') return null
      if (character !== '\\') continue
      index++
      if (this.#script.charAt(index) === '\n' && !this.#continues(index)) return null
    }
    return null
  }

  /** Whether the line goes on behind this newline for any sed: behind one backslash, and no more. */
  #continues(newline: number): boolean {
    this.#hasLongText = true
    return this.#script.charAt(newline - 1) === '\\' && this.#script.charAt(newline - 2) !== '\\'
  }

  #transliterate(): string | null {
    const start = this.#index - 1
    const unread = () => this.#unread(this.#script.slice(start))
    const delimiter = this.#next()
    if (!isDelimiter.test(delimiter)) return unread()
    const ends = endsOfExpression(this.#script, this.#index + 1, delimiter)
    if (ends === null || ends.end !== ends.plainEnd) return unread()
    const end = plainEndOf(this.#script, ends.end + 1, delimiter)
    if (end === null) return unread()
    this.#index = end + 1
    return this.#end()
  }

  /** What is printed: the rest of the line, and the lines that follow a backslash. */
  #text(name: string): string | null {
    this.#skipBlanks()
    const start = this.#index
    if (this.#next() === '\\') {
      this.#index++
      this.#skipBlanks()
      if (this.#next() === '' || (this.#next() === '\n' && this.#index > start + 1)) return this.#unread(name)
    }
    if (this.#next() === '' || (this.#next() === '\n' && this.#index === start)) return this.#unread(name)
    this.#index = start
    for (;;) {
      this.#index = this.#endOfLine()
      if (this.#next() === '' || this.#script.charAt(this.#index - 1) !== '\\') return null
      if (!this.#continues(this.#index)) return this.#unread(this.#script.slice(start))
      this.#index++
    }
  }

  #label(name: string): string | null {
    this.#skipBlanks()
    const start = this.#index
    this.#skip(/\w/)
    const isEmpty = this.#index === start
    if (name === ':') {
      this.#hasLabel = true
      if (isEmpty) return this.#unread(name)
    }
    this.#skipBlanks()
    // For some, a brace is part of the label. Behind it and the blanks both readings go on in the same way.
    while (this.#next() === '}' && name !== ':') {
      if (this.#depth-- <= 0) return this.#unread('}')
      this.#index++
    }
    this.#skipBlanks()
    return /^[;\n]?$/.test(this.#next()) ? null : this.#unread(this.#script.slice(start - 1))
  }

  #endOfLine(): number {
    const newline = this.#script.indexOf('\n', this.#index)
    return newline === -1 ? this.#script.length : newline
  }

  #unread(piece: string): string {
    return `${show(piece)} of sed is not known to only read`
  }
}
