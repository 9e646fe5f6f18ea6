// Tells from what a command has printed what Restricted mode has probably refused it.

import { once } from '../../base/util/lazy.js'
import { part } from '../../base/util/load-part.js'
import type * as Checker from '../safety/checker.js'
import type { ProgramCall } from '../safety/program-calls.js'
import { type Examined, type RefusedLine, refusedLines } from './denial-lines.js'
import type { Cause } from './denial-patterns.js'
import { type Calls, silentCause } from './silent-denials.js'

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
