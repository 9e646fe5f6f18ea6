// The option saveOutput: where the whole output goes when it is too long to be given whole.

import { join } from 'node:path'
import { savedOutputName } from '../jobs/saved-output-name.js'
import { checkPlace, type Place } from '../util/check-options.js'
import { temporaryDirectory } from '../util/directories.js'

export interface SaveOutputOptions {
  /** An existing directory, an absolute path. Default: `os.tmpdir()`. */
  directory?: string | undefined
  /** Bytes of output that are saved at most, 131072…1099511627776. Default 1 GiB. */
  maxBytes?: number | undefined
}

const sizeRange = [128 * 1024, 1024 ** 4] as const
const defaults = { directory: temporaryDirectory, maxBytes: 1024 ** 3 }

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSaveOutput(field: string, value: unknown): Place | undefined {
  return checkPlace(field, value, defaults, sizeRange)
}

export function newSavePath({ directory }: Place): string {
  return join(directory, savedOutputName())
}
