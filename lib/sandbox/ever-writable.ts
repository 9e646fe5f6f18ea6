// Directories that commands of this process, and of others that share their memory, could write to so far: what lies in
// them may be of a command's making.

import { isBelow, isWithin } from '../util/absolute-paths.js'
import type { LinkedPath } from './linked-path.js'

const directories = new Set<string>()
const mostRemembered = 1000
let added = 0

/** What outlives this process. Neither method throws. */
export interface WritableMemory {
  /** The real path of each directory. */
  recall(): readonly string[]
  keep(root: string): void
}

let memory: WritableMemory | undefined

/** From now on what other programs remember counts as well, and they are told. */
export function shareMemory(shared: WritableMemory): void {
  memory = shared
  recall()
}

/** Those that are known already stay as new as they are. */
function recall(): void {
  for (const root of memory?.recall() ?? []) {
    if (directories.has(root)) continue
    directories.add(root)
    ++added
  }
}

/** @param roots their real paths */
export function rememberWritable(roots: readonly string[]): void {
  for (const root of roots) {
    // Again the newest.
    if (!directories.delete(root)) ++added
    directories.add(root)
    memory?.keep(root)
  }
  for (const oldest of directories) {
    if (directories.size <= mostRemembered) break
    directories.delete(oldest)
  }
}

/** Another number whenever there are more of them. */
export const everWritableVersion = (): number => added

/** Whether a command may have made what is at a real path. */
export const wasWritable = (path: string): boolean => writableRootOf(path) !== undefined

/** The directory by which it may have. */
export function writableRootOf(path: string): string | undefined {
  for (const directory of directories) if (isWithin(path, directory)) return directory
  return undefined
}

/**
 * The directory in which a link on the way leads out of it: else a command would choose what the next one can write.
 *
 * @param more directories that count as well
 */
export function linkedFrom({ real, links }: LinkedPath, more: readonly string[] = []): string | undefined {
  if (links.length === 0) return undefined
  // Another program may have let a command write elsewhere meanwhile.
  recall()
  return [...more, ...directories].find(
    (root) => links.some((link) => isBelow(link, root)) && !isWithin(real, root),
  )
}
