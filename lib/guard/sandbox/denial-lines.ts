// The lines of an output that speak of a refusal, and what each is about.

import type { Cause } from './denial-patterns.js'
import * as say from './denial-patterns.js'
import { searchedIn, suspicious } from './denial-signs.js'
import { isSaid, isSearch } from './denial-speakers.js'
import type { Calls } from './silent-denials.js'

const cannotBeExecuted = 126

/** Lines that speak of a refusal and are looked at, from the last one up. A flood of them says the same again. */
const maxLines = 500

export interface Examined {
  output: string
  /** Null when the command did not run to its end. */
  exitCode: number | null
  /** Its text; empty: not known. */
  command: string
  calls: Calls
}

export interface RefusedLine<Other extends string = never> {
  cause: Cause | Other
  line: string
}

/**
 * From the last one up. What a success printed has to be put like a complaint; and always by a program that the command
 * may have run.
 *
 * @param judge sees what was denied before what Restricted mode makes of it
 */
export function* refusedLines<Other extends string = never>(
  { output, exitCode, command, calls }: Examined,
  judge?: (line: string) => Other | undefined,
): Generator<RefusedLine<Other>, void, undefined> {
  const text = searchedIn(output, exitCode)
  if (!suspicious.test(text)) return
  const searches = isSearch(calls())
  const isPrinted = (line: string) => say.quoted.test(line) || (searches && say.found.test(line))
  const lines = text.split(/[\r\n]+/).filter((line) => !isPrinted(line))
  let looked = 0
  for (let index = lines.length - 1; index >= 0 && looked < maxLines; index--) {
    const line = lines[index] ?? ''
    if (!suspicious.test(line)) continue
    looked++
    const cause = judge?.(line) ?? causeOf(lines, index, exitCode, command)
    if (cause === undefined || !isSaid(line, command, calls())) continue
    if (exitCode === 0 && !isComplaint(line)) continue
    yield { cause, line }
  }
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
  if (say.tacLost.test(line)) return say.accessDenied.test(line) ? 'tac' : undefined
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
