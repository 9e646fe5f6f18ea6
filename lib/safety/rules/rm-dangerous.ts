// `rm -rf` of the root, a home directory, a .git directory, or all there is.

import { type Option, readOptions } from '../command-options.js'
import type { Field } from '../expansion/field.js'
import type { Argument, CheckedCommand, SafetyRule } from '../rule.js'
import { readFind } from '../wrappers/find-expression.js'
import { describe } from './describe.js'
import { PreciousPlaces } from './precious-places.js'

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

/** `-delete` of one `find`: more are no mistake of anyone. */
const maxDeletions = 32

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
  const deletions = readFind(words.slice(1) as Field[]).actions.filter((action) => action.words === null)
  return deletions.slice(0, maxDeletions).flatMap(({ found }) => found)
}

export const rmDangerous: SafetyRule = {
  name: 'rm-dangerous',
  applies: (command) => {
    const found = targets(command)
    if (found.length === 0) return null
    const places = new PreciousPlaces(command)
    return found.find((target) => places.describe(target) !== null) ?? null
  },
  explain: (command, target) => {
    const what = new PreciousPlaces(command).describe(target)
    const instead =
      command.program === 'find'
        ? "narrow it down, such as `find ./build -name '*.o' -delete`, and look at what it finds first: leave out `-delete`"
        : 'name what is to go, such as `rm -rf ./build`'
    return `${describe(command.words)} would delete ${what}, and nothing brings that back. Instead, ${instead}.`
  },
}
