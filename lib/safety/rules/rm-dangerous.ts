// `rm -rf` of the root, a home directory, a .git directory, or all there is.

import { type Option, readOptions } from '../command-options.js'
import type { Field } from '../expansion/field.js'
import type { Argument, CheckedCommand, SafetyRule } from '../rule.js'
import { readFind } from '../wrappers/find-expression.js'
import { describe } from './describe.js'
import { preciousTarget } from './precious-target.js'

const table = {
  flags: [
    'dir',
    'force',
    'help',
    'interactive',
    'no-preserve-root',
    'one-file-system',
    'preserve-root',
    'recursive',
    'verbose',
    'version',
  ],
}

function isRecursiveAndForced(options: readonly Option<Argument>[]): boolean {
  let recursive = false
  let forced = false
  for (const { name, value } of options) {
    if (name === 'r' || name === 'R' || name === 'recursive') recursive = true
    else if (name === 'f' || name === 'force') forced = true
    // The last one counts.
    else if (name === 'i' || name === 'I') forced = false
    else if (name === 'interactive') forced = value === 'never' || value === 'no' || value === 'none'
  }
  return recursive && forced
}

function targets({ program, words }: CheckedCommand): readonly Argument[] {
  if (program === 'rm') {
    const { options, operands } = readOptions(words.slice(1), table)
    return isRecursiveAndForced(options) ? operands : []
  }
  if (program !== 'find') return []
  return readFind(words.slice(1) as Field[]).actions.flatMap((action) =>
    action.words === null ? action.found : [],
  )
}

export const rmDangerous: SafetyRule = {
  name: 'rm-dangerous',
  applies: (command) => targets(command).find((target) => preciousTarget(target, command) !== null) ?? null,
  explain: (command, target) => {
    const what = preciousTarget(target, command)
    const instead =
      command.program === 'find'
        ? "narrow it down, such as `find ./build -name '*.o' -delete`, and look at what it finds first: leave out `-delete`"
        : 'name what is to go, such as `rm -rf ./build`'
    return `${describe(command.words)} would delete ${what}, and nothing brings that back. Instead, ${instead}.`
  },
}
