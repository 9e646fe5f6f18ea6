// Directories that commands of this process could write to so far: what lies in them may be of a command's making.

import { isBelow, isWithin } from '../util/absolute-paths.js'
import type { LinkedPath } from './linked-path.js'

const directories = new Set<string>()
const mostRemembered = 1000
let added = 0

/** @param roots their real paths */
export function rememberWritable(roots: readonly string[]): void {
  for (const root of roots) {
    // Again the newest.
    if (!directories.delete(root)) ++added
    directories.add(root)
  }
  for (const oldest of directories) {
    if (directories.size <= mostRemembered) break
    directories.delete(oldest)
  }
}

/** Another number whenever there are more of them. */
export const everWritableVersion = (): number => added

/** Whether a command may have made what is at a real path. */
export function wasWritable(path: string): boolean {
  for (const directory of directories) if (isWithin(path, directory)) return true
  return false
}

/**
 * The directory in which a link on the way leads out of it: else a command would choose what the next one can write.
 *
 * @param more directories that count as well
 */
export function linkedFrom({ real, links }: LinkedPath, more: readonly string[] = []): string | undefined {
  if (links.length === 0) return undefined
  return [...more, ...directories].find(
    (root) => links.some((link) => isBelow(link, root)) && !isWithin(real, root),
  )
}
