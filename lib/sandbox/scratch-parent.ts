// Where the scratch directory of a command is made. Loaded with the first one.

import { currentEngine } from '../engine/choose.js'
import { linkedFrom } from './ever-writable.js'
import { followLinks, type LinkedPath } from './linked-path.js'
import { wrongPath } from './policy-path.js'

/**
 * Looked up for each command: what the path leads to may have changed since the last one. The supervisor follows no link
 * any more.
 *
 * @returns the path without symbolic links; as it is where there is nothing, which the supervisor will say
 * @throws {BashError} ERR_INVALID_INPUT where a command may have made a link on the way
 */
export function scratchParent(directory: string): string {
  // What it mostly is.
  if (currentEngine().stampOf([directory]) !== '') return directory
  let followed: LinkedPath
  try {
    followed = followLinks(directory)
  } catch {
    return directory
  }
  const writable = linkedFrom(followed)
  if (writable === undefined) return followed.real
  const reason =
    `cannot have scratch directories: a symbolic link in ${writable}` +
    `, where commands can write, leads to ${followed.real}`
  throw wrongPath('scratch.directory', directory, reason)
}
