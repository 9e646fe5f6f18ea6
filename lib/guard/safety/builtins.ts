// Builtins that change what is known: variables, the working directory.

import { type Field, splitAt } from './expansion/field.js'
import { printf } from './expansion/output.js'
import { readGit, readOptions } from './option-words.js'
import { unknownText } from './rule.js'
import { defaultSeparators, maxValues, type Scope } from './scope.js'

export interface BuiltinCall {
  words: readonly Field[]
  /** That of the script. */
  scope: Scope
  /** IFS as the command has it. */
  separators: string
  input(): { texts: readonly string[] } | undefined
}

type Builtin = (call: BuiltinCall) => void

const changeDirectory: Builtin = ({ words, scope }) => {
  const [path] = readOptions(words.slice(1)).operands
  if (path === undefined) scope.changeDirectory(scope.home)
  else if (path.text === '-') scope.changeDirectory(scope.values('OLDPWD')?.[0])
  else scope.changeDirectory(path.pattern === null ? path.text : undefined)
}

const pushDirectory: Builtin = (call) => {
  const [, path] = call.words
  if (path === undefined || /^[+-]/.test(path.text)) call.scope.changeDirectory(undefined)
  else changeDirectory(call)
}

const unset: Builtin = ({ words, scope }) => {
  for (const { text } of readOptions(words.slice(1)).operands) {
    scope.assign(text, [text === 'IFS' ? defaultSeparators : ''])
  }
}

/** `set -- ARGUMENTS`, `set ARGUMENTS` */
const setParameters: Builtin = ({ words, scope }) => {
  const dashes = words.findIndex(({ text }) => text === '--')
  const { operands } = readOptions(words.slice(1), { short: 'o', stopsAtOperand: true })
  if (dashes === -1 && operands.length === 0) return
  assignParameters(
    scope,
    operands.map((word) => (word.pattern === null ? word.text : unknownText)),
  )
}

/** @param texts the values of `$1` and further ones */
export function assignParameters(scope: Scope, texts: readonly string[]): void {
  for (let index = 0; index < 9; index++) scope.assign(`${index + 1}`, [texts[index] ?? ''])
  for (const name of ['@', '*']) scope.assign(name, [texts.join(' ')])
}

const shift: Builtin = ({ scope }) => {
  for (const name of '123456789@*') scope.assign(name, undefined)
}

/** Characters of the input that are looked at. */
const maxReadLength = 8192

function linesOf(input: ReturnType<BuiltinCall['input']>): string[] | undefined {
  return (
    input?.texts
      .flatMap((text) => text.slice(0, maxReadLength).split('\n'))
      .filter((line) => line.trim() !== '')
      .slice(0, maxValues + 1)
      // One name of many, as `ls` lists them.
      .map((line) => (line.includes('*') ? unknownText : line))
  )
}

const literalElements = (texts: readonly string[]) => texts.map((text) => ({ text, pattern: null }))

/** Drops blanks at both ends, if IFS has them. */
function splitLine(separators: string, line: string): string[] {
  return splitAt(separators, separators.includes(' ') ? line.trim() : line)
}

/** A loop of `read` sees every line, one at a time. */
const read: Builtin = ({ words, scope, separators, input }) => {
  const { options, operands } = readOptions(words.slice(1), { short: 'adinNptu' })
  const rows = linesOf(input())?.map((line) => splitLine(separators, line))
  const array = options.find(({ name }) => name === 'a')?.value
  if (array !== undefined) {
    const [row] = rows ?? []
    const isKnown = rows?.length === 1 && !row?.some((text) => text.includes(unknownText))
    scope.assignArray(array, isKnown ? literalElements(row ?? []) : undefined)
    return
  }
  const names = operands.length > 0 ? operands.map(({ text }) => text) : ['REPLY']
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    const values = rows?.map((row) => (isLast ? row.slice(index).join(' ') : (row[index] ?? '')))
    scope.assign(name, values && [...new Set(values)])
  }
}

/** `mapfile`, `readarray` */
const readArray: Builtin = ({ words, scope, input }) => {
  const [name] = readOptions(words.slice(1), { short: 'dnOsuCc' }).operands
  const lines = linesOf(input())
  const isWhole = lines !== undefined && lines.length <= maxValues
  scope.assignArray(name?.text ?? 'MAPFILE', isWhole ? literalElements(lines) : undefined)
}

const printfToVariable: Builtin = ({ words, scope }) => {
  const [, option, name, ...rest] = words
  if (option?.text === '-v' && name !== undefined)
    scope.assign(name.text, [printf(rest.map(({ text }) => text))])
}

/** `git config alias.NAME TEXT` */
const configureGit: Builtin = ({ words, scope }) => {
  const git = readGit('git', words)
  if (git?.subcommand.text !== 'config') return
  const { operands } = readOptions(git.words, { short: 'f', long: ['file', 'blob', 'type'] })
  const [key, value] = operands[0]?.text === 'set' ? operands.slice(1) : operands
  const [, name] = /^alias\.(.+)$/i.exec(key?.text ?? '') ?? []
  if (name !== undefined && value !== undefined) scope.addGitAlias(name, value.text)
}

/** What builtins do to the scope of the script they run in, by their names. */
export const builtins: ReadonlyMap<string, Builtin> = new Map([
  ['cd', changeDirectory],
  ['git', configureGit],
  ['mapfile', readArray],
  ['popd', ({ scope }) => scope.changeDirectory(undefined)],
  ['printf', printfToVariable],
  ['pushd', pushDirectory],
  ['read', read],
  ['readarray', readArray],
  ['set', setParameters],
  ['shift', shift],
  ['unset', unset],
])
