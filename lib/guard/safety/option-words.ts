// Reads the words of a command line: options as getopt_long(3) does (clusters, attached values, abbreviations, `--`),
// operands, and the subcommand of git.

import type { Argument } from './rule.js'

/** Which options take a value. Those that are not named take none. */
export interface OptionTable {
  /** The letters of short options with a value. */
  short?: string
  /** The names of long options with a value, which may also be the next argument. */
  long?: readonly string[]
  /** The other long options, so that abbreviations of them can be told from those with a value. */
  flags?: readonly string[]
  /** Whether the first operand ends the options, as for commands that run another one. */
  stopsAtOperand?: boolean
}

export interface Option<Word extends Argument> {
  /** A letter, or a long name without `--`; an abbreviation is written out if there is only one such name. */
  name: string
  value: string | undefined
  /** The argument that the option stands in. */
  argument: Word
  /** The argument that the value stands in: the same one, or the next. */
  valueArgument: Word
}

export interface CommandLine<Word extends Argument> {
  options: Option<Word>[]
  operands: Word[]
}

/** @param words the arguments without the name of the command */
export function readOptions<Word extends Argument>(
  words: readonly Word[],
  table: OptionTable = {},
): CommandLine<Word> {
  const options: Option<Word>[] = []
  const operands: Word[] = []
  let index = 0
  for (let argument = words[0]; argument !== undefined; argument = words[++index]) {
    const { text } = argument
    if (text === '--') {
      return { options, operands: operands.concat(words.slice(index + 1)) }
    }
    if (!text.startsWith('-') || text === '-') {
      if (table.stopsAtOperand) return { options, operands: words.slice(index) }
      operands.push(argument)
      continue
    }
    const read = text.startsWith('--') ? readLong(text, table) : readCluster(text, table)
    for (const { name, value, needsValue } of read) {
      const next = needsValue ? words[++index] : undefined
      options.push({ name, value: next?.text ?? value, argument, valueArgument: next ?? argument })
    }
  }
  return { options, operands }
}

interface ReadOption {
  name: string
  value: string | undefined
  /** Whether the value is the next argument. */
  needsValue: boolean
}

function readLong(text: string, { long = [], flags = [] }: OptionTable): ReadOption[] {
  const equals = text.indexOf('=')
  const given = text.slice(2, equals === -1 ? undefined : equals)
  const value = equals === -1 ? undefined : text.slice(equals + 1)
  const name = complete(given, [...long, ...flags])
  return [{ name, value, needsValue: value === undefined && long.includes(name) }]
}

/** The option that is meant by an abbreviation; what was given when there is none, or more than one. */
function complete(given: string, names: readonly string[]): string {
  if (names.includes(given)) return given
  const [name = given, another] = names.filter((name) => name.startsWith(given))
  return another === undefined ? name : given
}

function readCluster(text: string, { short = '' }: OptionTable): ReadOption[] {
  const read: ReadOption[] = []
  for (let index = 1; index < text.length; index++) {
    const name = text.charAt(index)
    const takesValue = short.includes(name)
    const value = takesValue && index + 1 < text.length ? text.slice(index + 1) : undefined
    read.push({ name, value, needsValue: takesValue && value === undefined })
    if (takesValue) break
  }
  return read
}

export interface GitCommand<Word extends Argument> {
  /** Options before the subcommand. */
  options: readonly Option<Word>[]
  subcommand: Word
  /** What follows the subcommand. */
  words: readonly Word[]
}

/** git(1), "OPTIONS" */
const gitOptions = {
  short: 'cC',
  long: ['git-dir', 'work-tree', 'namespace', 'super-prefix', 'config-env', 'attr-source', 'list-cmds'],
  stopsAtOperand: true,
}

/** @returns undefined when this is not git, or it has no subcommand */
export function readGit<Word extends Argument>(
  program: string,
  words: readonly Word[],
): GitCommand<Word> | undefined {
  if (program.startsWith('git-')) {
    const [name] = words
    return name === undefined
      ? undefined
      : { options: [], subcommand: { ...name, text: program.slice(4) }, words: words.slice(1) }
  }
  if (program !== 'git') return undefined
  const { options, operands } = readOptions(words.slice(1), gitOptions)
  const [subcommand, ...rest] = operands
  return subcommand === undefined ? undefined : { options, subcommand, words: rest }
}
