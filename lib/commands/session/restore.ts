// The statements that make variables, functions and aliases anew in a fresh shell. Nothing in them is expanded or
// evaluated: a value is text, whatever it looks like.

import { quote } from '../../base/util/bash-quotes.js'
import { type Declaration, readElements, unquote } from './printed.js'
import { RecordFault, type Steps } from './reading.js'
import { type ByteString, fromBuffer, type ShellFunction } from './state.js'

/**
 * Variables that are not part of a session: bash's own, which it sets or computes itself; those that belong to a
 * process or a call; and the names of the session's own code.
 * Source: bash(1), "Shell Variables".
 */
const ownVariables = new Set(
  (
    '- _ BASH BASHOPTS BASHPID COMPREPLY COPROC COPROC_PID DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS ' +
    'HISTCMD LINENO OPTIND PIPESTATUS POSIXLY_CORRECT PPID PWD RANDOM SECONDS SHELLOPTS SHLVL SRANDOM UID'
  ).split(' '),
)
const ownPrefixes = ['BASH_', 'COMP_', 'READLINE_', '__bashward']

export function isOwnVariable(name: ByteString): boolean {
  return ownVariables.has(name) || ownPrefixes.some((prefix) => name.startsWith(prefix))
}

/**
 * The session's own functions, and `builtin`: without a reliable `builtin` nothing could be restored or saved past
 * the user's functions.
 */
const ownFunctions = new Set(['trap', 'builtin'])

export function isOwnFunction(name: ByteString): boolean {
  return ownFunctions.has(name) || name.startsWith('__bashward')
}

/** Attributes that change what an assignment does, so they are given after it. */
const transformingFlags = ['i', 'l', 'u', 'c']
/** The others that are carried over. */
const plainFlags = ['t', 'x']

/**
 * The statements that declare this variable. `r` is left out.
 *
 * `declare` and not a plain assignment: bash gives up the rest of a file after an assignment that fails.
 *
 * @throws {RecordFault} for a value that bash would not have printed
 */
export function* variableStatement({ name, flags, word }: Declaration): Steps<ByteString> {
  const pick = (letters: string[]) => letters.filter((letter) => flags.includes(letter)).join('')
  if (word === undefined) {
    const all = pick(['a', 'A', 'n', ...transformingFlags, ...plainFlags])
    return all === '' ? bareStatement(name) : `declare -${all} ${name}\n`
  }
  const first = pick(['a', 'A', 'n', ...plainFlags])
  const then = pick(transformingFlags)
  const value = yield* restoredValue(flags, word)
  const attributes = first === '' ? '' : `-${first} `
  const declaration = losesBytes(flags, value)
    ? `builtin unset -v ${name} && declare ${attributes}${name} && ${name}=${value}\n`
    : `declare ${attributes}${name}=${value}\n`
  return then === '' ? declaration : `${declaration}declare -${then} ${name}\n`
}

/** Of a variable that has neither value nor attributes. */
export const bareStatement = (name: ByteString): ByteString => `declare ${name}\n`

/** Bash 5.1 loses \001 before \177 in an array that is given to `declare`, and not in one that is assigned. */
function losesBytes(flags: string, value: ByteString): boolean {
  return /[aA]/.test(flags) && value.includes('\x01')
}

function* restoredValue(flags: string, word: ByteString): Steps<ByteString> {
  if (flags.includes('A')) {
    const elements: ByteString[] = []
    yield* readElements(word, (key, value) =>
      elements.push(`[${quoteBytes(unquote(key))}]=${quoteBytes(unquote(value))}`),
    )
    // The last one first: bash puts a new one in front of those of the same hash, so that all are in the old order.
    return `(${elements.reverse().join(' ')})`
  }
  if (flags.includes('a')) {
    const keys: ByteString[] = []
    const values: ByteString[] = []
    yield* readElements(word, (key, value) => {
      if (!/^\d+$/.test(key)) throw new RecordFault('an index is not a number')
      keys.push(key)
      values.push(quoteBytes(unquote(value)))
    })
    // Without indexes where they say nothing: bash reads those three times as fast.
    const isDense = keys.every((key, index) => key === String(index))
    const words = isDense ? values : values.map((value, index) => `[${keys[index]}]=${value}`)
    return `(${words.join(' ')})`
  }
  return quoteBytes(unquote(word))
}

/** Defines a function, or else carries out `orElse`. */
export function functionStatement(
  name: ByteString,
  { text, flags, isProven }: ShellFunction,
  orElse: ByteString,
): ByteString {
  // By eval, a text that bash prints in a way it cannot read again costs one function and not the whole session; but
  // that is half as fast.
  const definition = isProven ? text : `builtin eval -- ${quoteBytes(text)} || ${orElse}\n`
  const attributes = plainFlags.filter((flag) => flags.includes(flag)).join('')
  return attributes === '' ? definition : `${definition}builtin declare -f${attributes} ${quoteBytes(name)}\n`
}

const reservedWords = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while'.split(
    ' ',
  ),
)

/** An alias of a reserved word would change what the session's own code means. */
export function isOwnAlias(name: ByteString): boolean {
  return reservedWords.has(name)
}

export function aliasStatement(name: ByteString, value: ByteString): ByteString {
  return `builtin alias -- ${quoteBytes(name)}=${quoteBytes(value)}\n`
}

const singleQuote = 0x27
const backslash = 0x5c
const quotedQuote = "'\\''"

/** The word that stands for these bytes; of megabytes, whatever they are, in milliseconds. */
export function quoteBytes(bytes: ByteString): ByteString {
  if (bytes.length < 65_536) return quote(bytes)
  let quotes = 0
  for (let at = 0; at < bytes.length; at += 1) if (bytes.charCodeAt(at) === singleQuote) quotes += 1
  if (quotes === 0) return `'${bytes}'`
  const word = Buffer.allocUnsafe(bytes.length + quotes * (quotedQuote.length - 1) + 2)
  let length = 0
  word[length++] = singleQuote
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at)
    word[length++] = code
    if (code !== singleQuote) continue
    word[length++] = backslash
    word[length++] = singleQuote
    word[length++] = singleQuote
  }
  word[length] = singleQuote
  return fromBuffer(word)
}
