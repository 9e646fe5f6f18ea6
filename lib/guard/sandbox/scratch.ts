// The option scratch: a directory of its own that a confined command may write to.

import { join, resolve } from 'node:path'
import { checkPlace, type Place } from '../../base/util/check-options.js'
import { temporaryDirectory } from '../../base/util/directories.js'
import { randomHex } from '../../base/util/lazy.js'
import { part } from '../../base/util/load-part.js'
import type * as ScratchParent from './scratch-parent.js'

export interface ScratchOptions {
  /** An existing directory in which those of the commands are made, an absolute path. Default: `os.tmpdir()`. */
  directory?: string | undefined
  /**
   * Bytes of files in it, 1048576…1099511627776; a command that writes more, or makes more than 65536 files, is killed.
   * Default 256 MiB.
   */
  maxBytes?: number | undefined
}

const sizeRange = [1024 ** 2, 1024 ** 4] as const
const defaults = { directory: () => resolve(temporaryDirectory()), maxBytes: 256 * 1024 ** 2 }

/** @returns false: there is to be none. @throws {BashError} ERR_INVALID_INPUT */
export function checkScratch(field: string, value: unknown): Place | false | undefined {
  return value === false ? false : checkPlace(field, value, defaults, sizeRange)
}

/** That of commands which get one without being told so. */
export function defaultScratch(): Place {
  return { directory: defaults.directory(), maxBytes: defaults.maxBytes, isDefault: true }
}

const parent = part((): typeof ScratchParent => require('./scratch-parent.js'))

/**
 * A name that nobody can guess: the supervisor makes the directory, and it must not exist.
 *
 * @returns undefined where it was to be made by default, and can be made nowhere: `df` and `rm` have to run there, too
 * @throws {BashError} ERR_INVALID_INPUT where a command may have led its parent
 */
export function newScratchDirectory({ directory, isDefault }: Place): string | undefined {
  const { scratchParent, firstUsable } = parent()
  const name = `bashward-scratch-${randomHex(8)}`
  return isDefault ? firstUsable(directory, name) : join(scratchParent(directory), name)
}
