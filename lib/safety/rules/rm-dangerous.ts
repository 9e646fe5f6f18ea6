// `rm -rf` of the root, a home directory, a .git directory, or all there is.

import type { Field } from '../expansion/field.js'
import { type Option, readOptions } from '../option-words.js'
import { type Argument, type CheckedCommand, type SafetyRule, unknownText } from '../rule.js'
import { readFind } from '../wrappers/find-expression.js'
import { describe } from './describe.js'
import { isFreshClone } from './fresh-clone.js'
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

/** `"$UNSET/"*` or `/$UNSET` without the variable; null: it is not like that. */
function withoutUnset(target: Argument): Argument | null {
  const { text, pattern, unset } = target as Field
  if (!unset || (text.endsWith(unknownText) && !text.startsWith('/'))) return null
  const without = (of: string) => of.replaceAll(unknownText, '')
  return { ...target, text: without(text), pattern: pattern === null ? null : without(pattern) }
}

function isDangerous(target: Argument, places: PreciousPlaces): boolean {
  if (places.describe(target) !== null) return true
  const rest = withoutUnset(target)
  return rest !== null && places.isRoot(rest)
}

/** What is to be typed instead where the variable would be empty. */
function explainUnset(what: string | null, { unset }: Field): string {
  const [name = ''] = unset ?? []
  return (
    `would delete ${what} if ${name} is empty, which nothing in the command rules out. ` +
    `Instead, write \`\${${name}:?}\`, which stops the command then.`
  )
}

export const rmDangerous: SafetyRule = {
  name: 'rm-dangerous',
  refuses: 'rm -rf of /, ~, ~/.ssh, system directories, .git, * or .*',
  applies: (command) => {
    const found = targets(command)
    if (found.length === 0) return null
    const places = new PreciousPlaces(command)
    return found.find((target) => isDangerous(target, places) && !isFreshClone(command, target)) ?? null
  },
  explain: (command, target) => {
    const places = new PreciousPlaces(command)
    const what = places.describe(target)
    const shown = describe(command.words)
    if (what === null)
      return `${shown} ${explainUnset(places.describe(withoutUnset(target) ?? target), target as Field)}`
    const instead =
      command.program === 'find'
        ? "narrow it down, such as `find ./build -name '*.o' -delete`, and look at what it finds first: leave out `-delete`"
        : 'name what is to go, such as `rm -rf ./build`'
    return `${shown} would delete ${what}, and nothing brings that back. Instead, ${instead}.`
  },
}
