// A directory that is given for workspaces: its real name is what commands can write, so that none of them may choose it.

import { realpathSync } from 'node:fs'
import { part } from '../../base/util/load-part.js'
import type * as LedDirectory from '../../guard/sandbox/led-directory.js'
import { wrongPath } from '../../guard/sandbox/policy-path.js'

const directories = part((): typeof LedDirectory => require('../../guard/sandbox/led-directory.js'))

/**
 * @returns its real name
 * @throws {BashError} ERR_INVALID_INPUT where a command may have made a link on the way. @throws the system's error
 */
export function givenDirectory(field: string, directory: string): string {
  const { refusal } = directories().ledDirectory(directory)
  if (refusal !== undefined) throw wrongPath(field, directory, `cannot be a workspace: ${refusal}`)
  return realpathSync(directory)
}
