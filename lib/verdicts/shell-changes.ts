// What a command leaves to later commands of the same shell: a directory, variables, options, functions.

import { Role, Tree } from '../safety/script/tree/tree.js'
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

/** @param nodes of the text, as the parser gives them */
export function definesFunction(text: string, nodes: Int32Array): boolean {
  const tree = new Tree(nodes, text)
  for (let node = 0; node < tree.size; node++) {
    if (tree.role(node) === Role.functionDefinition) return true
  }
  return false
}

/** `${name:=value}`, wherever it stands. */
export const setsByExpansion = (text: string): boolean => /\$\{\w+:?=/.test(text)
