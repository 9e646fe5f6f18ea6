// What a session takes over of what a command has left that was allowed as reading. A program that the command runs may
// have written that in place of the shell, and what a person approves later runs unconfined with it: with another umask, in
// another directory, with functions that nobody has judged. So nothing changes but what the text of the command names, and
// that only as the judge lets a text change it.

import type { KeptState, Selected, Selection } from '../../commands/session/session-mode.js'
import {
  type ByteString,
  decodeText,
  encodeText,
  type OptionChanges,
  type ShellState,
} from '../../commands/session/state.js'
import { isHarmlessSetting, isHarmlessVariable } from '../../guard/verdicts/variables.js'
import { type IsNamed, wordsOf } from './named-words.js'
import { harmlessOptions, hasUnusualAttribute, isSetByBash } from './shell-state.js'

/** Whether a text that defines functions does nothing else, and they only read. Never rejects. */
export type IsReading = (definition: string) => Promise<boolean>

/** @param text the command */
export function selectionFor(text: string, isReading: IsReading): Selection {
  const isNamed = wordsOf(text)
  return async (before, left) => {
    const hasJudged = await areJudged(before.shell, left.shell, isNamed, isReading)
    return select(before, left, isNamed, hasJudged)
  }
}

function select(before: KeptState, left: KeptState, isNamed: IsNamed, hasJudged: boolean): Selected {
  const dropped: string[] = []
  const entersDirectories = isNamed('cd', 'pushd', 'popd')
  /** What is left, or else what was there before. */
  const either = <Value>(what: string, isTaken: boolean, [old, value]: readonly [Value, Value]): Value => {
    if (isTaken || isSame(old, value)) return value
    dropped.push(what)
    return old
  }
  const one = before.shell
  const other = left.shell
  const shell: ShellState = {
    ...selectVariables(one, other, isNamed, dropped),
    functions: either('functions', hasJudged, [one.functions, other.functions]),
    unsetFunctions: either('functions', hasJudged, [one.unsetFunctions, other.unsetFunctions]),
    // The judge lets no text change the aliases or the umask.
    aliases: either('aliases', false, [one.aliases, other.aliases]),
    umask: either('the umask', false, [one.umask, other.umask]),
    shopt: either('options', isHarmless(one.shopt, other.shopt, isNamed), [one.shopt, other.shopt]),
    set: either('options', isHarmless(one.set, other.set, isNamed), [one.set, other.set]),
    positional: either('the positional parameters', isNamed('set', 'shift'), [
      one.positional,
      other.positional,
    ]),
    directories: either('the stack of directories', isNamed('pushd', 'popd', 'dirs'), [
      one.directories,
      other.directories,
    ]),
  }
  const isKept = entersDirectories && !inScratchDirectory.test(left.directory)
  const directory = either('the directory', isKept, [before.directory, left.directory])
  return { shell, directory, dropped: [...new Set(dropped)].map(encodeText) }
}

/** It ends with its command. */
const inScratchDirectory = /\/bashward-scratch-[0-9a-f]+(?:\/|$)/

/** Of the small values of a state. */
const isSame = (one: unknown, other: unknown): boolean => one === other || listOf(one) === listOf(other)

const listOf = (value: unknown): string =>
  JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : (value ?? null))

function selectVariables(
  before: ShellState,
  left: ShellState,
  isNamed: IsNamed,
  dropped: string[],
): Pick<ShellState, 'variables' | 'unsetVariables'> {
  const variables = new Map(before.variables)
  const unsetVariables = new Set(before.unsetVariables)
  const states = [before.variables, before.unsetVariables, left.variables, left.unsetVariables]
  for (const name of new Set(states.flatMap((names) => [...names.keys()]))) {
    const statement = left.variables.get(name)
    const isUnset = left.unsetVariables.has(name)
    if (statement === before.variables.get(name) && isUnset === before.unsetVariables.has(name)) continue
    if (!mayBeChanged(decodeText(name), statement, isNamed)) {
      // Without a statement it is as in a fresh shell, which in another sandbox may have it from the host.
      if (statement !== undefined || isUnset) dropped.push(`variable ${decodeText(name)}`)
      continue
    }
    variables.delete(name)
    unsetVariables.delete(name)
    if (statement !== undefined) variables.set(name, statement)
    else if (isUnset) unsetVariables.add(name)
  }
  return { variables, unsetVariables }
}

/** The words behind which bash sets them. Others are in no state. */
const settersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['OLDPWD', ['cd', 'pushd', 'popd']],
  ['OPTARG', ['getopts']],
  ['REPLY', ['read', 'select']],
  ['MAPFILE', ['mapfile', 'readarray']],
])

function mayBeChanged(name: string, statement: ByteString | undefined, isNamed: IsNamed): boolean {
  if (statement !== undefined && hasUnusualAttribute(statement)) return false
  if (isSetByBash(name)) return isNamed(...(settersOf.get(name) ?? []))
  if (!isNamed(name)) return false
  return statement === undefined ? isHarmlessVariable(name) : isHarmlessSetting(name, plainValueOf(statement))
}

/** Of a variable that is a plain text; else undefined. */
function plainValueOf(statement: ByteString): string | undefined {
  return /^declare (?:-x )?\w+='([^']*)'\n$/.exec(statement)?.[1]
}

function isHarmless(one: OptionChanges, other: OptionChanges, isNamed: IsNamed): boolean {
  const signed = ({ on, off }: OptionChanges) => [
    ...on.map((name) => `+${name}`),
    ...off.map((name) => `-${name}`),
  ]
  const [before, left] = [signed(one), signed(other)]
  const changed = [
    ...before.filter((name) => !left.includes(name)),
    ...left.filter((name) => !before.includes(name)),
  ]
  return changed.map((name) => name.slice(1)).every((name) => harmlessOptions.has(name) && isNamed(name))
}

/** Whether all functions that are new, changed or gone are named in the text, and only read. */
async function areJudged(
  before: ShellState,
  left: ShellState,
  isNamed: IsNamed,
  isReading: IsReading,
): Promise<boolean> {
  for (const names of [before.functions, before.unsetFunctions, left.unsetFunctions]) {
    for (const name of names.keys()) {
      const isGone =
        !left.functions.has(name) && !(before.unsetFunctions.has(name) && left.unsetFunctions.has(name))
      if (isGone && !isNamed(decodeText(name))) return false
    }
  }
  for (const [name, { text, flags }] of left.functions) {
    const known = before.functions.get(name)
    if (known?.text === text && known.flags === flags) continue
    // An exported one would be that of other shells, too. One without a text of its own stands in another one's.
    if (flags.includes('x') || !isNamed(decodeText(name))) return false
    if (text !== '' && !(await isReading(decodeText(text)))) return false
  }
  return true
}
