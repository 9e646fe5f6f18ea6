// What `declare -p`, `declare -F` and `alias -p` print, read by a strict grammar: text that bash would not print
// in this place is a fault, so that a record into which somebody else wrote is not believed.

import type { ByteString } from './bytes.js'
import { RecordFault } from './fault.js'
import { endOfQuoted, readSingleQuoted } from './quoting.js'
import type { Steps } from './steps.js'

/** A variable as printed: `declare -FLAGS NAME=WORD`. After `local -` there is one that is named `-`. */
export interface Declaration {
  name: ByteString
  /** Letters of declare(1); `'-'` for none. */
  flags: string
  /** Still quoted. Undefined for a variable without a value. */
  word: ByteString | undefined
}

export interface Definitions {
  variables: Map<ByteString, Declaration>
  /** Their flags by their names. */
  functions: Map<ByteString, string>
  /** What they stand for, by their names. */
  aliases: Map<ByteString, ByteString>
}

const variableStart = /declare -(-|[a-zA-Z]+) (-|[A-Za-z_][A-Za-z0-9_]*)(=?)/y
const functionStart = /declare -(f[a-z]*) ([^\s'"\\$`;&|<>()]+)/y
const aliasStart = /alias (?:-- )?([^\s'"\\$`;&|<>()/=]+)=/y
const plainWord = /[^\s'"\\|&;()<>!{}*[\]?^$`]*/y

/** How many declarations, or elements of an array, are read in one step. */
const inOneStep = 256

/** @throws {RecordFault} for anything but complete declarations of those three commands */
export function* readDefinitions(text: ByteString): Steps<Definitions> {
  const definitions: Definitions = { variables: new Map(), functions: new Map(), aliases: new Map() }
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('alias ', at)) at = readAlias(text, at, definitions)
    else if (text.startsWith('declare -f', at)) at = readFunction(text, at, definitions)
    else at = yield* readVariable(text, at, definitions)
    if (text.charAt(at) !== '\n') throw new RecordFault('a definition does not end with its line')
    count += 1
    if (count % inOneStep === 0) yield
  }
  return definitions
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

function* readVariable(text: ByteString, at: number, { variables }: Definitions): Steps<number> {
  const [, flags, name, sign] = matchAt(variableStart, text, at) ?? []
  if (flags === undefined || name === undefined) throw new RecordFault('a line is not a declaration')
  const start = variableStart.lastIndex
  if (sign === '') {
    variables.set(name, { name, flags, word: undefined })
    return start
  }
  const isArray = flags.includes('a') || flags.includes('A')
  const end = isArray ? yield* endOfElements(text, start) : endOfWord(text, start)
  variables.set(name, { name, flags, word: text.slice(start, end) })
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
