// What a command leaves to later commands of the same shell: a directory, variables, options.

import type { Argument } from './argument.js'
import { textIn } from './objection.js'

const builtins = new Set(
  (
    'cd pushd popd dirs export declare typeset local readonly set shopt read mapfile readarray unset alias unalias getopts ' +
    'shift umask hash'
  ).split(' '),
)

export function changesShell(program: string, [first]: readonly Argument[]): boolean {
  return program === 'printf' ? textIn(first) === '-v' : builtins.has(program)
}

/** `${name:=value}`, wherever it stands. */
export const setsByExpansion = (text: string): boolean => /\$\{\w+:?=/.test(text)
