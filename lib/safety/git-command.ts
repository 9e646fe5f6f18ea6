// Reads a command line of git: options of git itself, the subcommand, and its arguments (git(1), "OPTIONS").

import { type Option, readOptions } from './option-words.js'
import type { Argument } from './rule.js'

export interface GitCommand<Word extends Argument> {
  /** Options before the subcommand. */
  options: readonly Option<Word>[]
  subcommand: Word
  /** What follows the subcommand. */
  words: readonly Word[]
}

const table = {
  short: 'cC',
  long: ['git-dir', 'work-tree', 'namespace', 'super-prefix', 'config-env', 'attr-source', 'list-cmds'],
  stopsAtOperand: true,
}

/** @returns null when this is not git, or it has no subcommand */
export function readGit<Word extends Argument>(
  program: string,
  words: readonly Word[],
): GitCommand<Word> | null {
  if (program.startsWith('git-')) {
    const [name] = words
    return name === undefined
      ? null
      : { options: [], subcommand: { ...name, text: program.slice(4) }, words: words.slice(1) }
  }
  if (program !== 'git') return null
  const { options, operands } = readOptions(words.slice(1), table)
  const [subcommand, ...rest] = operands
  return subcommand === undefined ? null : { options, subcommand, words: rest }
}
