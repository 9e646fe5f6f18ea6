// Where the scratch directory of a command is made. Loaded with the first one.

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
