// Whether names mean to the shell of a session what they mean to a new one.

import {
  type ByteString,
  decodeText,
  type OptionChanges,
  type ShellState,
} from '../../commands/session/state.js'
import { isHarmlessVariable } from '../../guard/verdicts/variables.js'

/** Options that change neither how a text is read nor which program a name stands for. */
export const harmlessOptions = new Set(['nullglob', 'globstar', 'dotglob', 'pipefail', 'noglob'])
/** Of the statements that make a variable: others than those of arrays, and of what is exported or read-only. */
const unusualAttribute = /^(?:builtin unset -v \w+ && )?declare -[aAxr]*[^aAxr\s]/m
/** bash sets them itself. */
const ownVariables = new Set(['OLDPWD', 'PWD', 'OPTIND', 'OPTARG', 'REPLY', 'MAPFILE', 'BASH_REMATCH'])

export const isSetByBash = (name: string): boolean => ownVariables.has(name)

/** @param statement that makes a variable: an integer is evaluated when it is set, and another name may stand for PATH */
export const hasUnusualAttribute = (statement: ByteString): boolean => unusualAttribute.test(statement)

/**
 * False for a session to which an approved command has given functions, aliases, another PATH and the like: the text of a
 * later command does not tell any more what it runs.
 */
export function isAsHostMade(shell: ShellState): boolean {
  const { variables, unsetVariables, functions, unsetFunctions, aliases, shopt, set } = shell
  if (functions.size + unsetFunctions.size + aliases.size > 0) return false
  for (const names of [variables.keys(), unsetVariables]) {
    for (const name of names) {
      const text = decodeText(name)
      if (!isHarmlessVariable(text) && !isSetByBash(text)) return false
    }
  }
  for (const statement of variables.values()) if (hasUnusualAttribute(statement)) return false
  return areHarmless(shopt) && areHarmless(set)
}

const areHarmless = ({ on, off }: OptionChanges): boolean =>
  [...on, ...off].every((name) => harmlessOptions.has(name))
