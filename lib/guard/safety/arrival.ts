// Whether a command certainly runs where the `cd`s before it lead: after `cd x; …` it may run where it began.

import { type Command, type Item, outerItems, type Script } from './script/script.js'

/** Between two commands: the second one runs only if the first one has succeeded. */
const isJoined = /^\s*&&[\s({]*(?:time\s+(?:-p\s+)?)?$/
/** One of them ends, and the next one begins. */
const isNext = /^(?:[\s;]|#.*\n)+$/
/** What makes of the next command something else than a command that has to succeed here. */
const isLoose = /[|!&]\s*$/

/** @returns whether each `cd` before the item must have succeeded for it to run */
export function hasArrived({ items, functions }: Script, text: string, index: number): boolean {
  // A `cd` of its own, and what runs before each command, may lead anywhere.
  if (movers.some((name) => functions.includes(name)) || items.some(isDebugTrap)) return false
  const until = items.slice(0, index + 1)
  const outer = new Set(outerItems(until))
  // One in a substitution goes nowhere: it is kept, and in the way.
  const commands = until.filter((item) => outer.has(item) || mayMove(item))
  const before = (at: number) => text.slice(at === 0 ? 0 : commands[at - 1]?.end, commands[at]?.start)
  const stops = isErrexit(commands, before)
  // A command that is a list of its own, which `set -e` has succeed.
  const isAlone = (at: number) => at === 0 || isNext.test(before(at))
  const last = commands.length - 1
  let first = last
  while (
    first > 0 &&
    (isJoined.test(before(first)) || (stops && isNext.test(before(first)) && isAlone(first - 1)))
  ) {
    first--
  }
  // `x || cd ..`, `! cd ..` and `x | cd ..`
  if (isLoose.test(before(first))) first++
  return commands.every((item, at) => at === last || !mayMove(item) || (at >= first && isPlainMove(item)))
}

/** Of commands that follow each other in nothing: in a group, a function or a condition `set -e` may not count. */
const isFlat = /^(?:[\s;]|#.*\n)*$|^\s*(?:&&|\|\||\|&?)\s*$/

/** Whether `set -e` holds for the last one. */
function isErrexit(commands: readonly Item[], before: (at: number) => string): boolean {
  if (!commands.every((_, at) => isFlat.test(before(at)))) return false
  const isOwn = (at: number) => at === 0 || at === commands.length || isNext.test(before(at))
  const sets = commands.some((item, at) => isSetting(wordsOf(item)) && isOwn(at) && isOwn(at + 1))
  return sets && !commands.some((item) => isUnsetting(wordsOf(item)))
}

const isSetting = ([name, ...options]: readonly string[]): boolean =>
  name === 'set' &&
  !options.includes('--') &&
  options.some((option, index) =>
    option === 'errexit' ? /^-\w*o$/.test(options[index - 1] ?? '') : /^-[A-Za-z]*e/.test(option),
  )

const isUnsetting = ([name, ...options]: readonly string[]): boolean =>
  name === 'set' && options.some((option) => option.startsWith('+'))

const isDebugTrap = (item: Item): boolean => {
  const words = wordsOf(item)
  return words.includes('trap') && words.includes('DEBUG')
}

const movers = ['cd', 'pushd', 'popd', 'chdir']

/** Also behind `builtin` and the like. */
const mayMove = (item: Item): boolean => wordsOf(item).some((word, at) => at < 3 && movers.includes(word))

const isPlainMove = (item: Item): boolean => {
  const [name, ...given] = wordsOf(item)
  const [directory = '-', ...others] = given[0] === '--' ? given.slice(1) : given
  return name === 'cd' && !directory.startsWith('-') && others.length === 0
}

function wordsOf(item: Item): string[] {
  return item.kind === 'command' ? item.words.map(textOf) : []
}

function textOf({ parts }: Command['words'][number]): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '$')).join('')
}
