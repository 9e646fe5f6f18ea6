// Tells from what a command has printed what Restricted mode has probably refused it.

import type * as Checker from '../safety/checker.js'
import type { ProgramCall } from '../safety/program-calls.js'
import { once } from '../util/lazy.js'
import { part } from '../util/load-part.js'
import * as say from './denial-patterns.js'
import { type Cause, causes } from './denial-patterns.js'
import { isSaid, isSearch } from './denial-speakers.js'
import { type Calls, silentCause } from './silent-denials.js'

const cannotBeExecuted = 126

/** Characters in which a refusal is looked for: of a success fewer, for most have met none. */
const afterFailure = 256 * 1024
const afterSuccess = { head: 16 * 1024, tail: 48 * 1024 }

/** Lines that speak of a refusal and are looked at, from the last one up. A flood of them says the same again. */
const maxLines = 500

/** Lines worth looking at: all that the patterns of a refusal can fit. */
const suspicious = new RegExp(
  [
    say.accessDenied,
    say.notPermitted,
    say.readOnly,
    say.unwritable,
    say.noTerminal,
    say.noPrivileges,
    say.unreachable,
    say.hereDocumentLost,
  ]
    .map(({ source }) => source)
    .join('|'),
  'im',
)

/**
 * The probable cause for which Restricted mode made a command fail, or its answer wrong, as a phrase; undefined when
 * nothing points to the sandbox. Of several causes the last one is told. Where the error alone does not tell a file that
 * may not be read from one that may not be written, it is taken for the latter.
 *
 * A pipe, `|| true` and a following command hide the exit status, so a command that succeeded is looked at as well. Then
 * a line has to be put like a complaint; and always by a program that the command may have run, for what `cat build.log`
 * prints has happened elsewhere.
 *
 * @param output what the command printed. Its end is looked at, of a success the beginning and the end
 * @param exitCode null when it did not run to its end
 * @param command its text, which tells who may have printed a line; empty: anybody
 * @param scratch whether it had a directory to write to
 */
export function probableCause(
  output: string,
  exitCode: number | null,
  command = '',
  scratch = false,
): string | undefined {
  const calls = once(() => programCalls(command))
  const cause =
    toldCause(searched(output, exitCode), exitCode, command, calls) ??
    silentCause(output, exitCode, command, calls, scratch)
  return cause === undefined ? undefined : causes[cause]
}

// Loaded when a command has printed something that calls for it.
const checker = part((): typeof Checker => require('../safety/checker.js'))

/** @returns undefined when they are not known: the text is long, or no bash; or the parser cannot be loaded now */
function programCalls(command: string): ProgramCall[] | undefined {
  try {
    return checker().programCalls(command)
  } catch {
    return undefined
  }
}

function searched(output: string, exitCode: number | null): string {
  const { head, tail } = afterSuccess
  if (exitCode !== 0) return output.slice(-afterFailure)
  return output.length > head + tail ? `${output.slice(0, head)}\n${output.slice(-tail)}` : output
}

function toldCause(
  output: string,
  exitCode: number | null,
  command: string,
  calls: Calls,
): Cause | undefined {
  if (!suspicious.test(output)) return undefined
  const searches = isSearch(calls())
  const isPrinted = (line: string) => say.quoted.test(line) || (searches && say.found.test(line))
  const lines = output.split(/[\r\n]+/).filter((line) => !isPrinted(line))
  let looked = 0
  let isRefused = false
  for (let index = lines.length - 1; index >= 0 && looked < maxLines; index--) {
    const line = lines[index] ?? ''
    if (!suspicious.test(line)) continue
    looked++
    const cause = causeOf(lines, index, exitCode, command)
    if (cause === undefined || !isSaid(line, command, calls())) continue
    if (exitCode === 0 && !isComplaint(line)) continue
    if (cause === 'other') isRefused = true
    else return cause
  }
  return isRefused ? 'other' : undefined
}

/** A log's line, a test's name, a piece of a difference or a comment: they only mention it. */
const mention =
  /^\s{0,99}(?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|[✓✔✗✕×•#*|+>]|- |\/\/|\d{1,9}[:|-]|(?:not )?ok \d)|["'`“‘](?:E[A-Z]{4,5}: )?(?:permission denied|operation not permitted|could not resolve)/i

const generic = /permission denied|operation not permitted|\bE(?:ACCES|PERM)\b/i
const complaint =
  /(?:[:\]] |\(|\(\d{1,3}: |for writing, )(?:permission denied|operation not permitted)|\bE(?:ACCES|PERM)[: ]|\w:? E(?:ACCES|PERM)$/i

function isComplaint(line: string): boolean {
  if (mention.test(line)) return false
  return !generic.test(line) || complaint.test(line) || topicOf(line, true) !== undefined
}

function causeOf(
  lines: readonly string[],
  index: number,
  exitCode: number | null,
  command: string,
): Cause | undefined {
  const line = lines[index] ?? ''
  if (say.hereDocumentLost.test(line)) return say.accessDenied.test(line) ? 'hereDocument' : undefined
  if (say.sortLost.test(line)) return say.accessDenied.test(line) ? 'sort' : undefined
  if (say.unreachable.test(line)) return 'network'
  if (say.readOnly.test(line) || say.unwritable.test(line)) return 'files'
  if (say.noTerminal.test(line)) return 'devices'
  if (say.noPrivileges.test(line)) return 'privileges'
  const isDenied = say.accessDenied.test(line)
  const isForbidden = say.notPermitted.test(line)
  if ((!isDenied && !isForbidden) || say.bareCode.test(line)) return undefined
  if (isOfWalk(line, command)) return undefined
  const isPathless = say.pythonWithoutPath.test(line)
  const topic =
    topicOf(line, isForbidden) ??
    (isPathless ? (topicAbove(lines, index, isForbidden) ?? topicOfScript(command)) : undefined)
  if (topic !== undefined) return topic
  if (isForbidden || isPathless) return 'other'
  return exitCode === cannotBeExecuted || say.ordinary.test(line) ? undefined : 'files'
}

/** What searches every directory meets processes of others everywhere; who names one wants to know. */
function isOfWalk(line: string, command: string): boolean {
  const path = say.walked.exec(line)?.[1]
  return path !== undefined && !command.includes(path)
}

function topicOf(text: string, isForbidden: boolean): Cause | undefined {
  return say.topics.find(({ forbidden, pattern }) => (isForbidden || !forbidden) && pattern.test(text))?.cause
}

/** Of `python3 -c` the traceback shows no source. */
function topicOfScript(command: string): Cause | undefined {
  if (/\b(?:openpty|forkpty|pty\.fork|pty\.spawn)\b/.test(command)) return 'devices'
  return /\bmultiprocessing\b/.test(command) ? 'sharedMemory' : undefined
}

function topicAbove(lines: readonly string[], index: number, isForbidden: boolean): Cause | undefined {
  return topicOf(lines.slice(Math.max(0, index - say.tracebackLines), index).join('\n'), isForbidden)
}
