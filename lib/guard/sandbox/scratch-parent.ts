// Where the scratch directory of a command is made. Loaded with the first one.

import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { ledDirectory } from './led-directory.js'
import { wrongPath } from './policy-path.js'

/**
 * The supervisor follows no link any more.
 *
 * @returns the path without symbolic links; as it is where there is nothing, which the supervisor will say
 * @throws {BashError} ERR_INVALID_INPUT where a command may have made a link on the way
 */
export function scratchParent(directory: string): string {
  const { real, refusal } = ledDirectory(directory)
  if (refusal === undefined) return real
  throw wrongPath('scratch.directory', directory, `cannot have scratch directories: ${refusal}`)
}

/** So long the place counts as usable in which one was made: to try it takes a part of a millisecond. */
const triedForMs = 1000
let usable = { parent: '', since: 0 }

/**
 * A directory that can be made, in the one for temporary files or, where that is missing or full, in another one.
 *
 * @throws {BashError} as {@link scratchParent}, of the first
 */
export function firstUsable(directory: string, name: string): string | undefined {
  const parent = scratchParent(directory)
  const first = join(parent, name)
  if (parent === usable.parent && performance.now() - usable.since < triedForMs) return first
  if (canBeMade(first)) {
    usable = { parent, since: performance.now() }
    return first
  }
  return ['/tmp', '/var/tmp', '/dev/shm']
    .filter((parent) => ledDirectory(parent).refusal === undefined)
    .map((parent) => join(ledDirectory(parent).real, name))
    .find(canBeMade)
}

/** The supervisor makes it anew: from then on it is known that nobody else has. */
function canBeMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    rmdirSync(path)
    return true
  } catch {
    return false
  }
}
