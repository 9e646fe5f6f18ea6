// Tells from what a command has printed what Restricted mode has probably refused it.

import type * as Checker from '../safety/checker.js'
import type { ProgramCall } from '../safety/program-calls.js'
import { once } from '../util/lazy.js'
import { part } from '../util/load-part.js'
import { type Examined, type RefusedLine, refusedLines } from './denial-lines.js'
import { type Cause, causes } from './denial-patterns.js'
import { type Calls, silentCause } from './silent-denials.js'

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
  const examined = { output, exitCode, command, calls: callsOf(command) }
  const found = toldCause(examined) ?? untoldCause(examined, scratch)
  return found === undefined ? undefined : causes[found.cause]
}

/** The line from which a cause is told; none where the output says nothing. */
export type Told = { cause: Cause; line?: string }

/** Of several causes the last one; a plain one only where there is no better. */
export function toldCause(examined: Examined): Told | undefined {
  let plain: RefusedLine | undefined
  for (const refused of refusedLines(examined)) {
    if (refused.cause !== 'other') return refused
    plain ??= refused
  }
  return plain
}

/** The cause of which the output says nothing. */
export function untoldCause(
  { output, exitCode, command, calls }: Examined,
  scratch: boolean,
): Told | undefined {
  const cause = silentCause(output, exitCode, command, calls, scratch)
  return cause === undefined ? undefined : { cause }
}

/** Asks for the programs of a command when it is called, once. */
export function callsOf(command: string): Calls {
  return once(() => programCalls(command))
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
