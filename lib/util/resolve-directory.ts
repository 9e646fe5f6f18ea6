// Directories as callers give them.

import { constants } from 'node:os'
import { resolve } from 'node:path'
import { invalidInput } from './invalid-input.js'
import { systemError } from './system-error.js'

/**
 * The absolute path; a relative one is taken from the process's working directory.
 *
 * @throws {BashError} ERR_INVALID_INPUT naming the field; ERR_WORKING_DIR when that directory is gone
 */
export function resolveDirectory(field: string, directory: unknown): string {
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0')) {
    throw invalidInput(field, 'must be the path of a directory', directory)
  }
  try {
    return resolve(directory)
  } catch (cause) {
    // process.cwd() throws when the process's own working directory is gone.
    throw systemError('ERR_WORKING_DIR', { step: 'getcwd', errno: constants.errno.ENOENT }, cause)
  }
}
