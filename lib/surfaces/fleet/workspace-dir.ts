// Where in the directory of its conversation a call runs.

import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { BashError } from '../../base/errors.js'
import { invalidInput } from '../../base/util/invalid-input.js'
import { checkWellFormed } from './well-formed.js'

/** A relative path that leads nowhere else by itself. @throws {BashError} ERR_INVALID_INPUT */
export function checkWorkspaceDir(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const need = 'must be a relative path within the conversation’s directory'
  if (typeof value !== 'string' || value === '' || value.length > 1024 || value.includes('\0')) {
    throw invalidInput(field, need, value)
  }
  checkWellFormed(field, value)
  if (isAbsolute(value) || value.split('/').includes('..')) throw invalidInput(field, need, value)
  return value
}

/**
 * Below the conversation's directory, following no link: commands can make one that leads out.
 *
 * @throws {BashError} ERR_WORKING_DIR
 */
export function directoryWithin(root: string, path: string | undefined): string {
  let directory = root
  for (const name of (path ?? '').split('/')) {
    if (name === '' || name === '.') continue
    directory = join(directory, name)
    const stats = lstatSync(directory, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) continue
    const reason = stats === undefined ? 'does not exist' : 'is not a directory, or a link'
    throw new BashError('ERR_WORKING_DIR', `workspaceDir ${path}: ${name} ${reason}`)
  }
  return directory
}
