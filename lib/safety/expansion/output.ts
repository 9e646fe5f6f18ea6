// What a command prints, for the few whose output is plain from their arguments.

import { readOptions } from '../option-words.js'
import { baseName, normalize } from '../paths.js'
import { unknownText } from '../rule.js'
import type { Scope } from '../scope.js'
import { readFind } from '../wrappers/find-expression.js'
import type { Field } from './field.js'
import { echo, printf } from './printf.js'

/** What a program gets. */
export interface Call {
  /** The arguments without the name. */
  words: readonly Field[]
  scope: Scope
  /** What it may read from its standard input; null: not known. */
  input(): readonly string[] | null
}

/** The texts that a program may print; null: not known. */
type Output = (call: Call) => readonly string[] | null

const nothing: Output = () => ['']

/** What comes in. */
const passedOn: Output = ({ words, input }) => {
  const { operands } = readOptions(words, { short: 'nckt', long: ['lines', 'bytes'] })
  return operands.every(({ text }) => text === '-' || text === '/dev/stdin') ? input() : null
}

/** Some of what comes in. Some of everything is not known. */
const partOfInput: Output = (call) => {
  const texts = passedOn(call)
  return texts?.some((text) => text.includes('*')) ? null : texts
}

/** `ls` of the working directory lists what `*` matches. */
const list: Output = ({ words }) => {
  const { options, operands } = readOptions(words)
  const isHere = operands.every(({ text }) => text === '.' || text === './')
  return isHere && options.every(({ name }) => '1aACFrStUuvX'.includes(name)) ? ['*\n'] : null
}

/** The operands, a line each. */
const operands: Output = ({ words }) => {
  const lines = readOptions(words).operands.map(({ text }) => `${text}\n`)
  return lines.length === 0 ? null : [lines.join('')]
}

const outputs = new Map<string, Output>([
  ['echo', ({ words }) => [echo(words.map(({ text }) => text))]],
  ['printf', ({ words }) => [printf(words.map(({ text }) => text))]],
  ...['head', 'shuf', 'tail', 'uniq'].map((name) => [name, partOfInput] as const),
  ['ls', list],
  ['tee', ({ input }) => input()],
  ...['cat', 'sort', 'tac'].map((name) => [name, passedOn] as const),
  ...[':', 'true', 'cd', 'export', 'mkdir', 'set', 'sleep', 'touch'].map((name) => [name, nothing] as const),
  ['pwd', ({ scope }) => [`${scope.workingDir ?? unknownText}\n`]],
  ['whoami', ({ scope }) => scope.values('USER')?.map((user) => `${user}\n`) ?? null],
  ['which', operands],
  ['realpath', operands],
  [
    'readlink',
    ({ words }) => {
      const read = readOptions(words)
      return read.options.length === 0 ? null : operands({ words } as Call)
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
      return isKnown ? [paths.map(({ text }) => text + terminator).join('')] : null
    },
  ],
])

/** The texts that a program may print; null: not known. */
export function outputOf(program: string, call: Call): readonly string[] | null {
  return outputs.get(program)?.(call) ?? null
}

/** `command -v NAME`, `type -P NAME` */
function locate(call: Call): readonly string[] | null {
  return /^-[vpP]$/.test(call.words[0]?.text ?? '') ? operands(call) : null
}

function lines(words: readonly Field[], change: (path: string) => string): readonly string[] | null {
  const read = readOptions(words, { short: 's', long: ['suffix'] })
  if (read.options.some(({ name }) => name !== 'a' && name !== 'multiple')) return null
  const [path] = read.operands
  return path === undefined || path.text.includes(unknownText) ? null : [`${change(path.text)}\n`]
}

function parent(path: string): string {
  if (path.startsWith('/')) return normalize(`${path}/..`)
  const cut = path.replace(/\/+$/, '').lastIndexOf('/')
  return cut === -1 ? '.' : path.slice(0, cut)
}

/** `git rev-parse --show-toplevel`: a directory above, or the one where we are, which is good enough. */
function describeRepository({ words, scope }: Call): readonly string[] | null {
  if (words[0]?.text !== 'rev-parse') return null
  switch (words.at(-1)?.text) {
    case '--show-toplevel':
      return [`${scope.workingDir ?? unknownText}\n`]
    case '--git-dir':
    case '--absolute-git-dir':
    case '--git-common-dir':
      return ['.git\n']
    default:
      return null
  }
}

/** As a substitution takes it. */
export function withoutFinalNewlines(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}
