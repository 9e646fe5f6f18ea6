// Where a command was when it printed a line: messages name files as they were given.

import { join } from 'node:path'
import type { ProgramCall } from '../safety/program-calls.js'
import type { Examined } from './denial-lines.js'

const speaker = /^(?:[\w.+/-]{1,255}\/)?([\w.+-]{1,40}): /
const option = /(?:^|\s)(?:-\w{0,9}C\s?|--directory[= ])([^\s$]{1,4096})/

/**
 * @param directory where the command began
 * @returns the directory of the last `cd` that the command has, or of the program that speaks, when that has an option for it.
 *   undefined when only running it tells
 */
export function workingDirectoryAt(
  line: string,
  directory: string,
  { calls }: Pick<Examined, 'calls'>,
): string | undefined {
  const name = speaker.exec(line)?.[1]
  let current: string | undefined = directory
  let own: string | undefined
  for (const call of calls() ?? []) {
    if (call.name === 'cd' || call.name === 'pushd') current = after(current, call)
    else if (call.name === name) own = option.exec(call.rest)?.[1] ?? own
  }
  if (own === undefined || own.startsWith('/')) return own ?? current
  return current === undefined ? undefined : join(current, own)
}

function after(current: string | undefined, { rest }: ProgramCall): string | undefined {
  const word = rest.split(/\s+/).find((each) => each !== '' && !/^-[LP-]/.test(each))
  // `cd` alone goes home, `cd -` back, and of what has been expanded nothing is known
  if (word === undefined || word === '-' || /[$~*?]/.test(word)) return undefined
  if (word.startsWith('/')) return join(word)
  return current === undefined ? undefined : join(current, word)
}
