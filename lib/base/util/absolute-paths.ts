// Absolute paths, compared by their components.

import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Whether `path` is `directory` or below it. Both are absolute and normalized. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || isBelow(path, directory)
}

export function isBelow(path: string, directory: string): boolean {
  return directory === '/'
    ? path.length > 1
    : path.length > directory.length && path[directory.length] === '/' && path.startsWith(directory)
}

export function overlap(one: string, other: string): boolean {
  return isWithin(one, other) || isBelow(other, one)
}

/** What of an absolute path exists, by its real name, and the rest as it is. */
export function realNameOf(path: string): string {
  const rest: string[] = []
  for (let each = path; each !== '/'; each = dirname(each)) {
    try {
      return join(realpathSync.native(each), ...rest)
    } catch {
      rest.unshift(basename(each))
    }
  }
  return path
}
