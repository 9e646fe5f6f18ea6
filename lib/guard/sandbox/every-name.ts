// All names of a place: a directory that is mounted twice is one directory, whichever name a command is given.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realNameOf } from '../../base/util/absolute-paths.js'
import { currentEngine } from '../../processes/engine/choose.js'

/**
 * The path without symbolic links, and where other mounts show the same. What does not exist yet has the names that its
 * directory gives it.
 *
 * @param path an absolute path
 * @returns the real path first
 */
export function everyNameOf(path: string): string[] {
  const real = realNameOf(path)
  let existing = real
  while (existing !== '/' && !existsSync(existing)) existing = dirname(existing)
  const rest = real.slice(existing.length)
  return [
    real,
    ...currentEngine()
      .otherNames(existing)
      .map((name) => join(name, rest)),
  ]
}
