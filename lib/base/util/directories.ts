// Directories: as callers give them, the user's own, and making them.

import { existsSync, mkdirSync } from 'node:fs'
import { constants, homedir, tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { systemError } from '../errors.js'
import { invalidInput } from './invalid-input.js'

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

/**
 * `$HOME`, else that of the user database; empty for a user of neither, as in a container that was started with a number
 * for its user.
 */
export function homeDirectory(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

let temporary: { variables: string; directory: string } | undefined

/** `os.tmpdir()`, which asks the kernel for this process's privileges before it reads each of three variables. */
export function temporaryDirectory(): string {
  const { TMPDIR, TMP, TEMP } = process.env
  const variables = `${TMPDIR}\0${TMP}\0${TEMP}`
  if (temporary?.variables !== variables) temporary = { variables, directory: tmpdir() }
  return temporary.directory
}

/**
 * mkdir -p: makes a directory and those above it that are missing. Node's own never returns where a directory exists that
 * none can be made in, such as /proc: it takes ENOENT for a parent that is missing, and makes that again and again.
 *
 * @param path absolute
 * @param mode of those that are made, less the umask
 * @throws the system's error, also when there is something else of that name
 */
export function makeDirectories(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let each = path; !existsSync(each) && each !== dirname(each); each = dirname(each)) missing.push(each)
  for (const each of missing.reverse()) make(each, mode)
  // A file of that name is not what was asked for.
  if (missing.length === 0) make(`${path}/.`, mode)
}

/** Another process may make it at the same time. */
function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
