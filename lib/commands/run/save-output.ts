// The option saveOutput: where the whole output goes when it is too long to be given whole.

import { join } from 'node:path'
import { checkPlace, type Place } from '../../base/util/check-options.js'
import { temporaryDirectory } from '../../base/util/directories.js'
import { part } from '../../base/util/load-part.js'
import type * as LedDirectory from '../../guard/sandbox/led-directory.js'
import { wrongPath } from '../../guard/sandbox/policy-path.js'
import { savedOutputName } from '../jobs/saved-output-name.js'

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

const directories = part((): typeof LedDirectory => require('../../guard/sandbox/led-directory.js'))

/** @throws {BashError} ERR_INVALID_INPUT where a command may have led the directory */
export function newSavePath({ directory }: Place): string {
  const { real, refusal } = directories().ledDirectory(directory)
  if (refusal === undefined) return join(real, savedOutputName())
  throw wrongPath('saveOutput.directory', directory, `cannot have saved output: ${refusal}`)
}
