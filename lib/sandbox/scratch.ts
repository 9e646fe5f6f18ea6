// The option scratch: a directory that a command in Restricted mode may write to.

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkAbsolutePath, checkInteger, checkObject } from '../util/invalid-input.js'
import { randomHex } from '../util/lazy.js'

export interface ScratchOptions {
  /** An existing directory in which those of the commands are made, an absolute path. Default: `os.tmpdir()`. */
  directory?: string | undefined
  /**
   * Bytes of files in it, 1048576…1099511627776; a command that writes more, or makes more than 65536 files, is killed.
   * Default 256 MiB.
   */
  maxBytes?: number | undefined
}

export interface ScratchPlan {
  directory: string
  maxBytes: number
}

const sizeRange = [1024 ** 2, 1024 ** 4] as const
const defaultMaxBytes = 256 * 1024 ** 2

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkScratch(field: string, value: unknown): ScratchPlan | undefined {
  if (value === undefined || value === false) return undefined
  const plan = { directory: resolve(tmpdir()), maxBytes: defaultMaxBytes }
  if (value === true) return plan
  const options = checkObject(field, value, ['directory', 'maxBytes']) as ScratchOptions
  if (options.directory !== undefined) {
    checkAbsolutePath(`${field}.directory`, options.directory)
    plan.directory = options.directory
  }
  if (options.maxBytes !== undefined) {
    plan.maxBytes = checkInteger(`${field}.maxBytes`, options.maxBytes, sizeRange, 'bytes')
  }
  return plan
}

/** A name that nobody can guess: the supervisor makes the directory, and it must not exist. */
export function newScratchDirectory({ directory }: ScratchPlan): string {
  return join(directory, `bashward-scratch-${randomHex(8)}`)
}
