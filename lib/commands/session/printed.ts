// What `declare -p`, `declare -F` and `alias -p` print, read by a strict grammar: text that bash would not print in this
// place is a fault, so that a record into which somebody else wrote is not believed. Source: bash(1), QUOTING.

import { letterEscapes } from '../../base/util/bash-quotes.js'
import { RecordFault, type Steps } from './reading.js'
import { type ByteString, fromBuffer } from './state.js'

/** A variable as printed: `declare -FLAGS NAME=WORD`. After `local -` there is one that is named `-`. */
export interface Declaration {
  name: ByteString
  /** Letters of declare(1); `'-'` for none. */
  flags: string
  /** Still quoted. Undefined for a variable without a value. */
  word: ByteString | undefined
}

export interface PrintedVariable {
  /** With its end. */
  line: ByteString
  variable: Declaration
}

export interface Definitions {
  variables: Map<ByteString, Declaration>
  /** The same variables, as they are printed. */
  lines: PrintedVariable[]
  /** Their flags by their names. */
  functions: Map<ByteString, string>
  /** What they stand for, by their names. */
  aliases: Map<ByteString, ByteString>
  /** Of the known variables, those that are printed as they were, and are not among `variables`. */
  unchanged: Set<PrintedVariable>
}

const variableStart = /declare -(-|[a-zA-Z]+) (-|[A-Za-z_][A-Za-z0-9_]*)(=?)/y
const functionStart = /declare -(f[a-z]*) ([^\s'"\\$`;&|<>()]+)/y
const aliasStart = /alias (?:-- )?([^\s'"\\$`;&|<>()/=]+)=/y
const plainWord = /[^\s'"\\|&;()<>!{}*[\]?^$`]*/y

/** How many declarations, or elements of an array, are read in one step. */
const inOneStep = 256

/**
 * @param known variables, in the order in which bash prints them: those whose lines are here are not read again
 * @throws {RecordFault} for anything but complete declarations of those three commands
 */
export function* readDefinitions(
  text: ByteString,
  known: readonly PrintedVariable[] = [],
): Steps<Definitions> {
  const definitions: Definitions = {
    variables: new Map(),
    lines: [],
    functions: new Map(),
    aliases: new Map(),
    unchanged: new Set(),
  }
  let next = 0
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const expected = known[next]
    if (expected !== undefined && standsAt(text, at, expected.line)) {
      definitions.unchanged.add(expected)
      next += 1
      at += expected.line.length - 1
    } else if (text.startsWith('alias ', at)) at = readAlias(text, at, definitions)
    else if (text.startsWith('declare -f', at)) at = readFunction(text, at, definitions)
    else {
      at = yield* readVariable(text, at, definitions)
      next = behind(definitions.lines.at(-1)?.variable.name ?? '', known, next)
    }
    if (text.charAt(at) !== '\n') throw new RecordFault('a definition does not end with its line')
    count += 1
    if (count % inOneStep === 0) yield
  }
  return definitions
}

/** Like startsWith, which takes five times as long for whole lines. */
export function standsAt(text: ByteString, at: number, part: ByteString): boolean {
  return text.slice(at, at + part.length) === part
}

/** Which of the known variables to expect after this one; bash sorts them. */
function behind(name: ByteString, known: readonly PrintedVariable[], next: number): number {
  let at = next
  while (at < known.length && (known[at]?.variable.name ?? '') < name) at += 1
  return known[at]?.variable.name === name ? at + 1 : at
}

function readAlias(text: ByteString, at: number, { aliases }: Definitions): number {
  const name = matchAt(aliasStart, text, at)?.[1]
  if (name === undefined) throw new RecordFault('an alias is not as bash prints it')
  const { value, end } = readSingleQuoted(text, aliasStart.lastIndex)
  aliases.set(name, value)
  return end
}

function readFunction(text: ByteString, at: number, { functions }: Definitions): number {
  const [, flags, name] = matchAt(functionStart, text, at) ?? []
  if (flags === undefined || name === undefined) throw new RecordFault('a function is not as bash lists it')
  functions.set(name, flags)
  return functionStart.lastIndex
}

function* readVariable(text: ByteString, at: number, { variables, lines }: Definitions): Steps<number> {
  const [, flags, name, sign] = matchAt(variableStart, text, at) ?? []
  if (flags === undefined || name === undefined) throw new RecordFault('a line is not a declaration')
  const start = variableStart.lastIndex
  const isArray = flags.includes('a') || flags.includes('A')
  let end = start
  if (sign !== '') end = isArray ? yield* endOfElements(text, start) : endOfWord(text, start)
  const variable = { name, flags, word: sign === '' ? undefined : text.slice(start, end) }
  variables.set(name, variable)
  lines.push({ line: text.slice(at, end + 1), variable })
  return end
}

/**
 * Reads the elements of an array as printed, `([0]="a" [1]="b")`: keys and values, still quoted.
 *
 * @throws {RecordFault}
 */
export function* readElements(
  word: ByteString,
  onElement: (key: ByteString, value: ByteString) => void,
): Steps<void> {
  yield* endOfElements(word, 0, onElement)
}

function* endOfElements(
  text: ByteString,
  start: number,
  onElement?: (key: ByteString, value: ByteString) => void,
): Steps<number> {
  let count = 0
  let at = expect(text, start, '(')
  while (text.charAt(at) !== ')') {
    const keyStart = expect(text, at, '[')
    const keyEnd = endOfWord(text, keyStart)
    const valueStart = expect(text, keyEnd, ']=')
    at = endOfWord(text, valueStart)
    onElement?.(text.slice(keyStart, keyEnd), text.slice(valueStart, at))
    // An associative array has a blank behind its last element as well.
    if (text.charAt(at) === ' ') at += 1
    else if (text.charAt(at) !== ')') throw new RecordFault('an array is not as bash prints it')
    count += 1
    if (count % inOneStep === 0) yield
  }
  return at + 1
}

function endOfWord(text: ByteString, start: number): number {
  if (text.charAt(start) === '"') return endOfQuoted(text, start)
  if (text.startsWith("$'", start)) return endOfQuoted(text, start + 1)
  matchAt(plainWord, text, start)
  return plainWord.lastIndex
}

function expect(text: ByteString, at: number, mark: string): number {
  if (!text.startsWith(mark, at)) throw new RecordFault('an array is not as bash prints it')
  return at + mark.length
}

function matchAt(pattern: RegExp, text: ByteString, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const backslash = 0x5c
const doubleQuote = 0x22
const singleQuote = 0x27
const dollar = 0x24
const backtick = 0x60

/**
 * The index behind the quoted string whose opening quote is at `start`.
 *
 * @throws {RecordFault} when it does not end
 */
export function endOfQuoted(text: ByteString, start: number): number {
  const mark = text.charCodeAt(start)
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === mark) return at + 1
    if (code === backslash) at += 1
  }
  throw new RecordFault('a quoted string does not end')
}

/**
 * Reads a word as `alias -p` prints it, `'…'` with `'\''` for each quote, or `\'`.
 *
 * @returns what it means, and the index behind it
 * @throws {RecordFault} when it does not end
 */
export function readSingleQuoted(text: ByteString, start: number): { value: ByteString; end: number } {
  if (text.startsWith("\\'", start)) return { value: "'", end: start + 2 }
  let end = text.charCodeAt(start) === singleQuote ? text.indexOf("'", start + 1) : -1
  if (end < 0) throw new RecordFault('a quoted string does not begin or end')
  if (!text.startsWith(quotedQuote, end)) return { value: text.slice(start + 1, end), end: end + 1 }
  end = endOfSingleQuoted(text, end)
  const bytes = Buffer.allocUnsafe(end - start)
  let length = 0
  for (let at = start + 1; at < end - 1; at += 1) {
    const code = text.charCodeAt(at)
    if (code === singleQuote) at += quotedQuote.length - 1
    bytes[length++] = code
  }
  return { value: fromBuffer(bytes.subarray(0, length)), end }
}

const quotedQuote = "'\\''"

function endOfSingleQuoted(text: ByteString, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== singleQuote) continue
    if (text.charCodeAt(at + 1) !== backslash) return at + 1
    if (!text.startsWith(quotedQuote, at)) break
    at += quotedQuote.length - 1
  }
  throw new RecordFault('a quoted string does not end')
}

/**
 * What a word means that `declare -p` or `alias -p` has printed: `"…"`, `$'…'`, or without quotes.
 *
 * @throws {RecordFault} when it holds anything that bash would expand
 */
export function unquote(word: ByteString): ByteString {
  if (word.startsWith('"')) return unquoteDouble(word.slice(1, -1))
  if (word.startsWith("$'")) return unquoteAnsi(word.slice(2, -1))
  return word
}

// Byte by byte: a command may make a value of megabytes of escapes, and a callback for each would hold up the host.

// bash before 5.0 prints \x01 and \x7f, its internal marks, with another \x01 in front.
function unquoteDouble(text: ByteString): ByteString {
  if (!/[\\$`\x01]/.test(text)) return text
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code === backslash || code === 0x01) {
      const next = text.charCodeAt(at + 1)
      if (code === backslash ? isSpecial(next) : next === 0x01 || next === 0x7f) {
        code = next
        at += 1
      } else if (code === backslash) throw new RecordFault(expansion)
    } else if (code === dollar || code === backtick) throw new RecordFault(expansion)
    bytes[length++] = code
  }
  return fromBuffer(bytes.subarray(0, length))
}

const expansion = 'a value holds an expansion'

function isSpecial(code: number): boolean {
  return code === backslash || code === doubleQuote || code === dollar || code === backtick
}

function unquoteAnsi(text: ByteString): ByteString {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at)
    if (code === backslash) {
      at += 1
      const letter = ansiLetters.get(text.charCodeAt(at))
      if (letter === undefined) {
        code = (octalDigit(text, at) << 6) | (octalDigit(text, at + 1) << 3) | octalDigit(text, at + 2)
        at += 2
      } else code = letter
    } else if (code === singleQuote) throw new RecordFault(unknownEscape)
    bytes[length++] = code
  }
  return fromBuffer(bytes.subarray(0, length))
}

const ansiLetters: ReadonlyMap<number, number> = new Map(
  Object.entries({ ...letterEscapes, '\\': '\\', "'": "'" }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte.charCodeAt(0),
  ]),
)

const unknownEscape = "a $'…' string holds an unknown escape"

function octalDigit(text: ByteString, at: number): number {
  const digit = text.charCodeAt(at) - 0x30
  if (digit >= 0 && digit <= 7) return digit
  throw new RecordFault(unknownEscape)
}
