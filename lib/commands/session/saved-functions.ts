// The functions of a saved state. bash prints their texts one after the other, and what is in a here-document may look
// like the beginning of the next one.

import { standsAt } from './printed.js'
import { RecordFault, type Steps } from './reading.js'
import { isOwnFunction } from './restore.js'
import type { ByteString, ShellFunction, ShellState } from './state.js'

/** As the record holds them. */
export interface FunctionSections {
  names: ByteString
  texts: ByteString
}

export interface SavedFunctions extends FunctionSections {
  /** All that there are. */
  listed: ReadonlySet<ByteString>
  /** Those that are carried over. */
  functions: ReadonlyMap<ByteString, ShellFunction>
  dropped: readonly ByteString[]
}

/**
 * @param before the functions that the call began with
 * @param earlier what an earlier call has saved, whose result is given again if nothing has changed since
 * @throws {RecordFault} when it is not what bash prints
 */
export function* readFunctions(
  sections: FunctionSections,
  before: ShellState['functions'],
  earlier: SavedFunctions | undefined,
): Steps<SavedFunctions> {
  if (isUnchanged(sections, before, earlier)) return earlier
  const names = sections.names.split('\n').slice(0, -1)
  const listed = new Set(names)
  if (listed.size !== names.length) throw new RecordFault('a function is listed twice')
  const functions = new Map<ByteString, ShellFunction>()
  const dropped: ByteString[] = []
  for (const { name, others, printed } of yield* separate(sections.texts, names, before)) {
    if (functions.size % 256 === 255) yield
    if (isOwnFunction(name) && others.length === 0) continue
    const { text, flags } =
      others.length === 0 ? withoutAttributes(printed, name) : { text: printed, flags: 'f' }
    const isProven = before.get(name)?.text === text && others.length === 0
    if (name.includes('=') || (!isProven && namelessCoprocess.test(text))) dropped.push(name, ...others)
    else {
      functions.set(name, { text, flags, isProven })
      for (const other of others) functions.set(other, { text: '', flags: 'f', isProven })
    }
  }
  return { ...sections, listed, functions, dropped }
}

function isUnchanged(
  { names, texts }: FunctionSections,
  before: ShellState['functions'],
  earlier: SavedFunctions | undefined,
): earlier is SavedFunctions {
  if (earlier?.functions !== before || earlier.names !== names || earlier.texts !== texts) return false
  for (const { isProven } of before.values()) if (!isProven) return false
  return true
}

/** `coproc cat` is printed as `coproc COPROC cat`, which would run COPROC. */
const namelessCoprocess = /\bcoproc COPROC (?![{(]|\[\[|(?:case|for|if|select|until|while) )/

/** `declare -f` prints them as a command behind the function: it would run functions of the user that are named `declare`. */
function withoutAttributes(printed: ByteString, name: ByteString): Pick<ShellFunction, 'text' | 'flags'> {
  const start = printed.lastIndexOf('\n', printed.length - 2) + 1
  const [, flags, named] = /^declare -(f[a-z]*[tx][a-z]*) (.*)\n$/s.exec(printed.slice(start)) ?? []
  return flags !== undefined && named === name
    ? { text: printed.slice(0, start), flags }
    : { text: printed, flags: 'f' }
}

function attributes(name: ByteString, flags: string): ByteString {
  return flags === 'f' ? '' : `declare -${flags} ${name}\n`
}

interface Part {
  name: ByteString
  /** Those whose beginnings cannot be told from text within the others: they stay together. */
  others: ByteString[]
  printed: ByteString
}

/**
 * Separates the texts. What follows a text that bash has read before is the next one: bash would find its end there, too.
 * Of the others, the end is known where the beginning of the next one occurs once.
 */
function* separate(texts: ByteString, names: ByteString[], before: ShellState['functions']): Steps<Part[]> {
  const parts: Part[] = []
  let starts: ReadonlyMap<ByteString, number[]> | undefined
  let at = 0
  for (let index = 0; index < names.length; ) {
    if (parts.length % 256 === 255) yield
    const name = names[index] ?? ''
    if (!beginsAt(texts, at, name)) throw new RecordFault('a function is not listed')
    const known = before.get(name)
    const printed = known?.isProven === true ? known.text + attributes(name, known.flags) : ''
    let next = index + 1
    let end = at + printed.length
    if (printed === '' || !standsAt(texts, at, printed) || !endsAt(texts, end, names[next])) {
      starts ??= yield* findStarts(texts, new Set(names))
      end = texts.length
      for (; next < names.length; next += 1) {
        const [start, second] = startsBehind(at, starts.get(names[next] ?? ''))
        if (start === undefined) throw new RecordFault('a function is not listed')
        if (second !== undefined) continue
        end = start
        break
      }
    }
    parts.push({ name, others: names.slice(index + 1, next), printed: texts.slice(at, end) })
    index = next
    at = end
  }
  if (at !== texts.length) throw new RecordFault('a function is not listed')
  return parts
}

function beginsAt(texts: ByteString, at: number, name: ByteString): boolean {
  const start = texts.startsWith('function ', at) ? at + 'function '.length : at
  return (
    texts.startsWith(`${name} ()`, start) &&
    lineEnd.test(texts.slice(start + name.length, start + name.length + 5))
  )
}

function endsAt(texts: ByteString, at: number, next: ByteString | undefined): boolean {
  return next === undefined ? at === texts.length : beginsAt(texts, at, next)
}

const lineEnd = /^ \(\) ?\n/

function startsBehind(at: number, starts: readonly number[] = []): number[] {
  return starts.filter((start) => start > at)
}

/** Where a line stands that begins one of these functions, or looks like it. */
function* findStarts(
  texts: ByteString,
  names: ReadonlySet<ByteString>,
): Steps<ReadonlyMap<ByteString, number[]>> {
  const starts = new Map<ByteString, number[]>()
  let count = 0
  for (const { index } of texts.matchAll(/ \(\) ?\n/g)) {
    count += 1
    if (count % 256 === 0) yield
    const start = texts.lastIndexOf('\n', index - 1) + 1
    const words = texts.slice(start, index)
    const name = words.startsWith('function ') ? words.slice('function '.length) : words
    if (!names.has(name)) continue
    const found = starts.get(name)
    if (found === undefined) starts.set(name, [start])
    else found.push(start)
  }
  return starts
}
