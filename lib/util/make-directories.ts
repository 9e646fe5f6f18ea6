// mkdir -p. Node's own never returns where a directory exists that none can be made in, such as /proc: it takes ENOENT
// for a parent that is missing, and makes that again and again.

import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and those above it that are missing.
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
