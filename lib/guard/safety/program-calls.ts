// Which programs a command runs, as its text shows them: for hints about what it printed, not for the check.

import { baseName } from './paths.js'
import { readScript } from './script/read-script.js'
import {
  type Command,
  type Item,
  type Redirect,
  redirectedInput,
  type Script,
  type Word,
} from './script/script.js'
import { runSync } from './script/steps.js'

/** One simple command. */
export interface ProgramCall {
  /** The name of the program without its directory; for git with the subcommand: `git log`. */
  name: string
  /** What follows the name, without its quotes, `$` for what only running it tells, redirections last. */
  rest: string
  /** Whether it stands behind `||`, and so may not have run. */
  isFallback: boolean
  /** Whether its exit status is lost in a pipe. */
  isPiped: boolean
  /** Whether it has, or may have, a pipe to read from: before it, or as in `<(…)`. */
  readsPipe: boolean
  /** Where its error messages go, as far as that is known: to the output, to the next program, or where nobody sees them. */
  errors: 'shown' | 'piped' | 'hidden'
}

const maxLength = 16 * 1024
const maxWords = 100

const wrappers = new Set(
  'builtin command env exec ionice nice nohup setsid stdbuf sudo time timeout xargs'.split(' '),
)

/**
 * Those of a script given to `sh -c` as well.
 *
 * @returns undefined when the text cannot be read to its end, or is too long for a hint
 */
export function programCalls(command: string): ProgramCall[] | undefined {
  const calls = callsIn(command)
  if (calls === undefined) return undefined
  const scripts = calls.flatMap((call) => (call.script === undefined ? [] : [callsWithin(call, call.script)]))
  // A shell in a shell is not read.
  const isKnown = scripts.every((inner) => inner?.every(({ script }) => script === undefined))
  return isKnown ? [...calls, ...scripts.flatMap((inner) => inner ?? [])] : undefined
}

interface Call extends ProgramCall {
  /** Of a shell, what follows `-c`. */
  script: string | undefined
}

const shells = new Set(['bash', 'dash', 'sh'])

/** What a shell runs reads, and prints, where that shell does. */
function callsWithin({ readsPipe, errors }: Call, script: string): Call[] | undefined {
  return callsIn(script)?.map((call) => ({
    ...call,
    readsPipe: readsPipe || call.readsPipe,
    errors: call.errors === 'shown' ? errors : call.errors,
  }))
}

function callsIn(command: string): Call[] | undefined {
  if (command.length > maxLength) return undefined
  const script = runSync(readScript(command))
  const { items, unread } = script
  if (unread !== null) return undefined
  const commands = items.filter((item) => item.kind === 'command')
  const piped = new Set(commands.flatMap(({ input }) => (input?.kind === 'pipe' ? range(input.items) : [])))
  const areHidden = items.some((item) => hidesOthers(item, script))
  return items.flatMap((item, index) => {
    if (item.kind !== 'command') return []
    const isFallback = /\|\|\s*$/.test(command.slice(Math.max(0, item.start - 9), item.start))
    const isPiped = piped.has(index)
    const errors = areHidden ? 'hidden' : errorsOf(item.redirects, isPiped && isBothPiped(command, item))
    const readsPipe = mayReadPipe(item, script)
    return callsOf(item).map((call) => ({ ...call, isFallback, isPiped, readsPipe, errors }))
  })
}

function range({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** What a function reads is not known. */
function mayReadPipe({ words, redirects, input }: Command, { functions }: Script): boolean {
  const source = redirectedInput(redirects, input)
  if (source?.kind === 'pipe' || (source === null && functions.length > 0)) return true
  return (source?.kind === 'redirect' && isPipe(source.redirect.target)) || words.some(isPipe)
}

const isPipe = ({ parts }: Word): boolean =>
  parts.some((part) => part.kind === 'substitution' && part.process)

const isBothPiped = (command: string, { end }: Command): boolean => /^\s*\|&/.test(command.slice(end))

function errorsOf(redirects: readonly Redirect[], areBothPiped: boolean): ProgramCall['errors'] {
  const places: Record<string, ProgramCall['errors']> = { 1: 'piped', 2: 'shown' }
  for (const { operator, descriptor, target } of redirects) {
    if (operator.startsWith('<')) continue
    const path = textOf(target)
    const same = /^(?:\/dev\/(?:fd\/)?)?(?:(1|stdout)|2|stderr)$/.exec(path)
    const isNamed = same !== null && (operator === '>&' || path.startsWith('/'))
    const place = isNamed ? (places[same[1] === undefined ? 2 : 1] ?? 'hidden') : 'hidden'
    const both =
      operator.startsWith('&') || (operator === '>&' && descriptor === null && !/^[\d-]+$/.test(path))
    if (both) places[1] = places[2] = place
    else places[String(descriptor ?? 1)] = place
  }
  return areBothPiped ? 'piped' : (places[2] ?? 'hidden')
}

/** The redirections of a compound command, of `exec` and of a function's call are those of others. */
function hidesOthers(item: Item, { functions }: Script): boolean {
  if (item.kind !== 'command') return false
  const [name] = item.words.map(textOf)
  const areOfOthers = name === undefined || name === 'exec' || functions.includes(name)
  return areOfOthers && errorsOf(item.redirects, false) === 'hidden'
}

function callsOf({
  words,
  redirects,
}: Command): Omit<Call, 'isFallback' | 'isPiped' | 'readsPipe' | 'errors'>[] {
  const texts = words.slice(0, maxWords).map(textOf)
  const programs = texts.flatMap((text, index) => (isExecuted(texts, index) ? [{ text, index }] : []))
  const last = redirects.map(redirection)
  return programs.map(({ text, index }) => ({
    ...nameOf(text, [...texts.slice(index + 1), ...last]),
    script: scriptOf(baseName(text), texts.slice(index + 1)),
  }))
}

/** Of a wrapper: an option, a time, a signal, an assignment. */
const ownArgument = /^(?:-|\d|\w{1,99}=|[A-Z]{3,9}$)/

/** The first word, what a wrapper runs, and what find does. */
function isExecuted(texts: readonly string[], index: number): boolean {
  if (index === 0 || /^-(?:exec|execdir|ok|okdir)$/.test(texts[index - 1] ?? '')) return true
  let program = 0
  while (program < index && wrappers.has(baseName(texts[program] ?? ''))) {
    program++
    while (ownArgument.test(texts[program] ?? '')) program++
  }
  return program === index
}

function nameOf(text: string, rest: readonly string[]): Pick<ProgramCall, 'name' | 'rest'> {
  const name = baseName(text)
  if (name !== 'git') return { name, rest: rest.join(' ') }
  let at = 0
  while (rest[at]?.startsWith('-')) at += rest[at] === '-C' || rest[at] === '-c' ? 2 : 1
  return { name: `git ${rest[at] ?? ''}`, rest: rest.slice(at + 1).join(' ') }
}

function scriptOf(name: string, [option = '', script]: readonly string[]): string | undefined {
  return shells.has(name) && /^-\w{0,9}c$/.test(option) ? script : undefined
}

function redirection({ operator, descriptor, target }: Redirect): string {
  const [sign, number] = operator.startsWith('&') ? [operator.slice(1), 2] : [operator, descriptor ?? '']
  return `${number}${sign}${sign.startsWith('<<') ? '' : textOf(target)}`
}

function textOf({ parts }: Word): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '$')).join('')
}
