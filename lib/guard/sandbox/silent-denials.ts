// Refusals of which the output says nothing: the program is told to be silent, or what it said was thrown away. What is
// left is the text of the command, and that some programs cannot do their work in Restricted mode at all.

import type { ProgramCall } from '../safety/program-calls.js'
import type { Cause } from './denial-patterns.js'
import { mayBeSilent } from './denial-signs.js'
import { lostCause } from './lost-lines.js'

/** Exit statuses that few others have: could not resolve, could not connect. */
const telling: readonly [text: RegExp, statuses: readonly number[]][] = [
  [/\bcurl\b/, [6, 7]],
  [/\bwget\b/, [4]],
]

/** What ends with a common one. */
const failures: readonly [call: RegExp, status: number, cause: Cause][] = [
  [/^(?:nc|ncat|netcat|telnet) /, 1, 'network'],
  [/^getent a?hosts/, 2, 'network'],
  // No swap file could be made; with the option -n there is none
  [/^(?:vim?|ex) (?:\S{1,20} ){0,5}-\w{0,5}[es]/, 1, 'files'],
]

/** Asks for the programs that a command runs, once; undefined when they are not known. */
export type Calls = () => ProgramCall[] | undefined

const discarded = /(?:^|\s)2>(?:>?\/dev\/null|&-)/
const hasTarget = /(?:^|\s)[^\s<>-]/
const local = /\bfile:|(?:^|\s)(?:-V|-h|--version|--help)(?:\s|$)/

interface SilentCall {
  program: RegExp
  /** Whether with these arguments it is refused, and does not say so. */
  fits: (rest: string) => boolean
  cause: Cause
  /** It works with a scratch directory, or when it has less to do: nothing, or `0`, has to have come of it. */
  unsure?: boolean
}

const silentCalls: readonly SilentCall[] = [
  {
    program: /^curl$/,
    fits: (rest) => isFetch(rest) && (discarded.test(rest) || isSilent(rest)),
    cause: 'network',
  },
  {
    program: /^wget$/,
    fits: (rest) => isFetch(rest) && (discarded.test(rest) || quiet.test(rest)),
    cause: 'network',
  },
  {
    program: /^apt(?:-cache|-get|itude)?$/,
    fits: (rest) => discarded.test(rest),
    cause: 'files',
    unsure: true,
  },
]

const quiet = /(?:^|\s)(?:-[a-zA-Z]{0,9}q|--quiet)/
const silent = /(?:^|\s)(?:-[a-zA-Z]{0,9}s|--silent)/
const showsErrors = /(?:^|\s)(?:-[a-zA-Z]{0,9}S|--show-error)/

function isSilent(rest: string): boolean {
  return silent.test(rest) && !showsErrors.test(rest)
}

function isFetch(rest: string): boolean {
  return hasTarget.test(rest) && !local.test(rest)
}

const noAnswer = /^[\s0]*$/

/** `git stash` fails without a word where it cannot write. */
const stashed = /^(?:push\b|save\b|-(?!-help)|[\d<>]|$)/

const noStash = /^No local changes to save$|^fatal: not a git repository/m

/** @param scratch whether the command had a directory to write to */
export function silentCause(
  output: string,
  exitCode: number | null,
  command: string,
  programCalls: Calls,
  scratch: boolean,
): Cause | undefined {
  if (!mayBeSilent(command)) return undefined
  if (/\/dev\/(?:tcp|udp)\/\S/.test(command) && discarded.test(command)) return 'network'
  const status = exitCode ?? 0
  if (telling.some(([text, statuses]) => statuses.includes(status) && text.test(command))) return 'network'
  const calls = programCalls()?.filter(({ isFallback }) => !isFallback) ?? []
  if (calls.some(isStash) && !noStash.test(output)) return 'files'
  const failed = failures.find(
    ([call, wanted]) => wanted === status && calls.some(({ name, rest }) => call.test(`${name} ${rest}`)),
  )
  if (failed !== undefined) return failed[2]
  // A status other than 0 is its own, unless something else gave it
  if (status !== 0 && command.includes('pipefail')) return undefined
  const lost = scratch ? undefined : lostCause(calls, output)
  if (lost !== undefined) return lost
  const unheard = status === 0 ? calls : calls.filter(({ isPiped }) => isPiped)
  return silentCalls.find((silentCall) => isMet(silentCall, unheard, output, scratch))?.cause
}

function isMet(
  { program, fits, unsure = false }: SilentCall,
  calls: readonly ProgramCall[],
  output: string,
  scratch: boolean,
): boolean {
  if (unsure && (scratch || !noAnswer.test(output))) return false
  return calls.some(({ name, rest }) => program.test(name) && fits(rest))
}

function isStash({ name, rest }: ProgramCall): boolean {
  return name === 'git stash' && stashed.test(rest)
}
