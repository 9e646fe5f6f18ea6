// What a command prints, for the few whose output follows from their arguments.

import { letterEscapes, quote } from '../../../base/util/bash-quotes.js'
import { readOptions } from '../option-words.js'
import { baseName, normalize } from '../paths.js'
import { unknownText } from '../rule.js'
import type { Scope } from '../scope.js'
import { readFind } from '../wrappers/find-expression.js'
import type { Field } from './field.js'

/** What a program gets. */
interface Call {
  /** The arguments without the name. */
  words: readonly Field[]
  scope: Scope
  /** What it may read from its standard input; undefined: not known. */
  input(): readonly string[] | undefined
}

/** The texts that a program may print; undefined: not known. */
type Output = (call: Call) => readonly string[] | undefined

const nothing: Output = () => ['']

/** What comes in. */
const passedOn: Output = ({ words, input }) => {
  const { operands } = readOptions(words, { short: 'nckt', long: ['lines', 'bytes'] })
  return operands.every(({ text }) => text === '-' || text === '/dev/stdin') ? input() : undefined
}

/** Some of what comes in: not known where that may be any name. */
const partOfInput: Output = (call) => {
  const texts = passedOn(call)
  return texts?.some((text) => text.includes('*')) ? undefined : texts
}

/** `ls` of the working directory lists what `*` matches. */
const list: Output = ({ words }) => {
  const { options, operands } = readOptions(words)
  const isHere = operands.every(({ text }) => text === '.' || text === './')
  return isHere && options.every(({ name }) => '1aACFrStUuvX'.includes(name)) ? ['*\n'] : undefined
}

/** The operands, a line each. */
const operands: Output = ({ words }) => {
  const lines = readOptions(words).operands.map(({ text }) => `${text}\n`)
  return lines.length === 0 ? undefined : [lines.join('')]
}

/** What programs print, by their names. */
export const outputs: ReadonlyMap<string, Output> = new Map<string, Output>([
  ['echo', ({ words }) => [echo(words.map(({ text }) => text))]],
  ['printf', ({ words }) => [printf(words.map(({ text }) => text))]],
  ...['head', 'shuf', 'tail', 'uniq'].map((name) => [name, partOfInput] as const),
  ['ls', list],
  ['tee', ({ input }) => input()],
  ...['cat', 'sort', 'tac'].map((name) => [name, passedOn] as const),
  ...[':', 'true', 'cd', 'export', 'mkdir', 'set', 'sleep', 'touch'].map((name) => [name, nothing] as const),
  ['pwd', ({ scope }) => [`${scope.workingDir ?? unknownText}\n`]],
  ['whoami', ({ scope }) => scope.values('USER')?.map((user) => `${user}\n`)],
  ['which', operands],
  ['realpath', operands],
  [
    'readlink',
    (call) => {
      const read = readOptions(call.words)
      return read.options.length === 0 ? undefined : operands(call)
    },
  ],
  ['command', locate],
  ['type', locate],
  ['basename', ({ words }) => lines(words, (path) => baseName(path.replace(/\/+$/, '')))],
  ['dirname', ({ words }) => lines(words, parent)],
  ['git', describeRepository],
  [
    'find',
    ({ words }) => {
      const { paths, terminator, isKnown } = readFind(words)
      return isKnown ? [paths.map(({ text }) => text + terminator).join('')] : undefined
    },
  ],
])

/** `command -v NAME`, `type -P NAME` */
function locate(call: Call): readonly string[] | undefined {
  return /^-[vpP]$/.test(call.words[0]?.text ?? '') ? operands(call) : undefined
}

function lines(words: readonly Field[], change: (path: string) => string): readonly string[] | undefined {
  const read = readOptions(words, { short: 's', long: ['suffix'] })
  if (read.options.some(({ name }) => name !== 'a' && name !== 'multiple')) return undefined
  const [path] = read.operands
  return path === undefined || path.text.includes(unknownText) ? undefined : [`${change(path.text)}\n`]
}

function parent(path: string): string {
  if (path.startsWith('/')) return normalize(`${path}/..`)
  const cut = path.replace(/\/+$/, '').lastIndexOf('/')
  return cut === -1 ? '.' : path.slice(0, cut)
}

/** `git rev-parse --show-toplevel`: taken for the working directory, though it may be one above. */
function describeRepository({ words, scope }: Call): readonly string[] | undefined {
  if (words[0]?.text !== 'rev-parse') return undefined
  switch (words.at(-1)?.text) {
    case '--show-toplevel':
      return [`${scope.workingDir ?? unknownText}\n`]
    case '--git-dir':
    case '--absolute-git-dir':
    case '--git-common-dir':
      return ['.git\n']
    default:
      return undefined
  }
}

const simpleEscapes: Readonly<Record<string, string>> = { ...letterEscapes, '\\': '\\', '"': '"', "'": "'" }

/** Octal numbers, as they are written in formats, for `%b`, and for `echo -e`. */
const octal = { format: '[0-7]{1,3}', argument: '0?[0-7]{1,3}', echo: '0[0-7]{0,3}' } as const

type Place = keyof typeof octal

/** With backslash escapes replaced. */
function replaceEscapes(text: string, place: Place): string {
  if (!text.includes('\\')) return text
  const hexadecimal = 'x([\\da-fA-F]{1,2})|u([\\da-fA-F]{1,4})|U([\\da-fA-F]{1,8})'
  const sequence = new RegExp(`\\\\(?:${hexadecimal}|(${octal[place]})|(.))`, 'gs')
  return text.replace(sequence, (all, short, unicode, long, number, letter) => {
    const code = short ?? unicode ?? long
    if (code !== undefined) return fromCode(Number.parseInt(code, 16))
    if (number !== undefined) return fromCode(Number.parseInt(number, 8) & 0xff)
    const isQuote = letter === '"' || letter === "'"
    return isQuote && place !== 'format' ? all : (simpleEscapes[letter] ?? all)
  })
}

function fromCode(code: number): string {
  return code > 0x10ffff ? unknownText : String.fromCodePoint(code)
}

/** @param words the arguments of `echo` */
export function echo(words: readonly string[]): string {
  let index = 0
  let flags = ''
  for (; /^-[neE]+$/.test(words[index] ?? ''); index++) flags += words[index]
  const text = words.slice(index).join(' ')
  const escapes = flags.lastIndexOf('e') > flags.lastIndexOf('E')
  return (escapes ? replaceEscapes(text, 'echo') : text) + (flags.includes('n') ? '' : '\n')
}

const conversion = /%(?:%|[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:[hlLjzt]*)([a-zA-Z]|\([^)]*\)T))/g

/**
 * The format is used again as long as there are arguments.
 *
 * @param words the arguments of `printf`
 */
export function printf(words: readonly string[]): string {
  const [first, ...others] = words[0] === '--' ? words.slice(1) : words
  if (first === undefined || first === '-v') return ''
  const format = replaceEscapes(first, 'format')
  let text = ''
  let index = 0
  do {
    const begun = index
    text += format.replace(conversion, (_, letter?: string) =>
      letter === undefined ? '%' : convert(letter, others[index++] ?? ''),
    )
    if (index === begun) break
  } while (index < others.length)
  return text
}

function convert(letter: string, value: string): string {
  if (letter === 'b') return replaceEscapes(value, 'argument')
  if (letter === 'c') return value.slice(0, 1)
  // `%q` is read by a shell next, which takes the quotes off again.
  return letter === 's' || letter === 'd' || letter === 'i'
    ? value
    : letter === 'q'
      ? quote(value)
      : unknownText
}
