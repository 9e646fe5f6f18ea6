// `rm -rf` of the root, a home directory, a .git directory, or all there is.

import type { Field } from '../expansion/field.js'
import { type Option, readOptions } from '../option-words.js'
import { type Argument, type CheckedCommand, type SafetyRule, unknownText } from '../rule.js'
import { readFind } from '../wrappers/find-expression.js'
import { describe } from './describe.js'
import { isFreshClone } from './fresh-clone.js'
import { isElsewhere } from './left-directory.js'
import { PreciousPlaces } from './precious-places.js'

const table = {
  flags: (
    'dir force help interactive no-preserve-root one-file-system preserve-root recursive verbose ' + 'version'
  ).split(' '),
}

/** `-delete` of one `find`: nobody writes more by mistake. */
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

function targets({ program, words }: CheckedCommand<Field>): readonly Field[] {
  if (program === 'rm') {
    const { options, operands } = readOptions(words.slice(1), table)
    return isRecursiveAndForced(options) ? operands : []
  }
  if (program !== 'find') return []
  const deletions = readFind(words.slice(1)).actions.filter((action) => action.words === undefined)
  return deletions.slice(0, maxDeletions).flatMap(({ found }) => found)
}

/** `"$UNSET/"*` or `/$UNSET` without the variable; undefined: it is not like that. */
function withoutUnset(target: Field): Field | undefined {
  const { text, pattern, unset } = target
  if (unset === undefined || (text.endsWith(unknownText) && !text.startsWith('/'))) return undefined
  const without = (of: string) => of.replaceAll(unknownText, '')
  return { ...target, text: without(text), pattern: pattern === null ? null : without(pattern) }
}

function isDangerous(target: Field, places: PreciousPlaces): boolean {
  if (places.describe(target) !== undefined) return true
  const rest = withoutUnset(target)
  return rest !== undefined && places.isRoot(rest)
}

/** Asked last: it looks at the file system. */
const hasLeft = (command: CheckedCommand<Field>, target: Field): boolean =>
  command.program === 'rm' && command.hasArrived?.() === true && isElsewhere(command, target)

export const rmDangerous: SafetyRule<Field> = {
  name: 'rm-dangerous',
  refuses:
    'rm -rf of /, ~, ~/.ssh, system directories, .git, * or .*, or of where you are (leave it: `cd .. && rm -rf build`)',
  applies: (command) => {
    const found = targets(command)
    if (found.length === 0) return null
    const places = new PreciousPlaces(command)
    const mayGo = (target: Field) => isFreshClone(command, target) || hasLeft(command, target)
    return found.find((target) => isDangerous(target, places) && !mayGo(target)) ?? null
  },
  explain: (command, target) => {
    const places = new PreciousPlaces(command)
    const what = places.describe(target)
    const shown = describe(command.words)
    if (what === undefined) {
      const [name = ''] = target.unset ?? []
      return (
        `${shown} would delete ${places.describe(withoutUnset(target) ?? target)} if ${name} is empty, which nothing ` +
        `in the command rules out. Instead, write \`\${${name}:?}\`, which stops the command then.`
      )
    }
    const instead =
      command.program === 'find'
        ? "narrow it down, such as `find ./build -name '*.o' -delete`, and look at what it finds first: leave out `-delete`"
        : isElsewhere(command, target)
          ? 'join the `cd` to it: `cd .. && rm -rf build` runs only if it has left'
          : 'name what is to go, such as `rm -rf ./build`'
    return `${shown} would delete ${what}, and nothing brings that back. Instead, ${instead}.`
  },
}
