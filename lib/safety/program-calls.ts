// Which programs a command runs, as its text shows them: for hints about what it printed, not for the check.

import { baseName } from './paths.js'
import { readScript } from './script/read-script.js'
import type { Command, Redirect, Word } from './script/script.js'
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
  const scripts = calls.flatMap(({ script }) => (script === undefined ? [] : [callsIn(script)]))
  // A shell in a shell is not read.
  const isKnown = scripts.every((inner) => inner?.every(({ script }) => script === undefined))
  return isKnown ? [...calls, ...scripts.flatMap((inner) => inner ?? [])] : undefined
}

interface Call extends ProgramCall {
  /** Of a shell, what follows `-c`. */
  script: string | undefined
}

const shells = new Set(['bash', 'dash', 'sh'])

function callsIn(command: string): Call[] | undefined {
  if (command.length > maxLength) return undefined
  const { items, unread } = runSync(readScript(command))
  if (unread !== null) return undefined
  const commands = items.filter((item) => item.kind === 'command')
  const piped = new Set(commands.flatMap(({ input }) => (input?.kind === 'pipe' ? range(input.items) : [])))
  return items.flatMap((item, index) => {
    if (item.kind !== 'command') return []
    const isFallback = /\|\|\s*$/.test(command.slice(Math.max(0, item.start - 9), item.start))
    return callsOf(item).map((call) => ({ ...call, isFallback, isPiped: piped.has(index) }))
  })
}

function range({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function callsOf({ words, redirects }: Command): Omit<Call, 'isFallback' | 'isPiped'>[] {
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
