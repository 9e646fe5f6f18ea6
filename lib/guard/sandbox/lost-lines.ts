// Programs that keep in a temporary file what does not fit into memory. Where there can be none they print nothing, and in
// a pipe their exit status is lost: if nobody sees their error message, a wrong answer looks like a right one.

import type { ProgramCall } from '../safety/program-calls.js'
import type { Cause } from './denial-patterns.js'

/** sort takes little memory for what it reads from a pipe; tac always a file. */
const spilling: Readonly<Record<string, Cause>> = { sort: 'sort', gsort: 'sort', tac: 'tac' }

/** A size that somebody has chosen: of a file it is sort's, too; one of gigabytes, or of a part of the memory, is enough. */
const bufferSize = /(?:^|\s)(?:-[a-zA-Z]{0,9}S|--buffer-size)[= ]?(\S{0,20})/
const large = /[GTPE%]$/i

/** What prints something only if it has read something, but for a number of lines that is 0. */
const passing = new Set(
  'cat cut egrep fgrep grep head less more nl rg rev sed sort tac tail tee tr uniq wc'.split(' '),
)
/** And of these, what shows an error message that it reads as it is. */
const showing = new Set('cat head less more tac tail tee'.split(' '))
const nothing = /^[\s0]*$/

/**
 * Of a program that may have lost what it read, why. Where it is certain that it has not, none is told: all that the
 * command printed has passed through it.
 *
 * @param calls in the order of the text
 */
export function lostCause(calls: readonly ProgramCall[], output: string): Cause | undefined {
  const at = calls.findIndex((call, index) => mayLose(call) && isUnseen(call, calls.slice(index + 1)))
  const call = calls[at]
  if (call === undefined) return undefined
  const isOnlyPipeline = calls.filter(({ isPiped }) => !isPiped).length === 1
  const hasPassed =
    call.errors === 'hidden' &&
    isOnlyPipeline &&
    !nothing.test(output) &&
    calls.slice(at).every(({ name }) => passing.has(name))
  return hasPassed ? undefined : spilling[call.name]
}

function mayLose({ name, rest, readsPipe }: ProgramCall): boolean {
  if (!Object.hasOwn(spilling, name)) return false
  const size = bufferSize.exec(rest)?.[1]
  return size === undefined ? readsPipe : !large.test(size)
}

function isUnseen({ errors }: ProgramCall, behind: readonly ProgramCall[]): boolean {
  return errors === 'hidden' || (errors === 'piped' && !behind.every(({ name }) => showing.has(name)))
}
