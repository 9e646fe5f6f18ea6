// Which programs a command runs. The parser is loaded when a command has printed something that calls for it.

import type * as Checker from '../safety/checker.js'
import type { ProgramCall } from '../safety/program-calls.js'
import { part } from '../util/load-part.js'

export type { ProgramCall }

/** Asks for them once; undefined when they are not known. */
export type Calls = () => ProgramCall[] | undefined

const checker = part((): typeof Checker => require('../safety/checker.js'))

/** @returns undefined when they are not known: the text is long, or no bash; or the parser cannot be loaded now */
export function programCalls(command: string): ProgramCall[] | undefined {
  try {
    return checker().programCalls(command)
  } catch {
    return undefined
  }
}
