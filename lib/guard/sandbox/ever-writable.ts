// Directories that commands of this process, and of others that share their memory, could write to so far: what lies in
// them may be of a command's making.

import { basename, dirname, join } from 'node:path'
import { isBelow, isWithin } from '../../base/util/absolute-paths.js'
import { everyNameOf } from './every-name.js'
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
    // By its other names as well: what is mounted now may be mounted elsewhere when that is asked.
    const names = directories.has(root) ? [root] : everyNameOf(root)
    for (const name of names) remember(name)
  }
  for (const oldest of directories) {
    if (directories.size <= mostRemembered) break
    directories.delete(oldest)
  }
}

function remember(name: string): void {
  // Again the newest.
  if (!directories.delete(name)) ++added
  directories.add(name)
  memory?.keep(name)
}

/** Another number whenever there are more of them. */
export const everWritableVersion = (): number => added

/** Whether a command may have made what is at a real path, also by another name of it. */
export const wasWritable = (path: string): boolean => writableRootOf(path) !== undefined

/** The directory by which it may have. */
export function writableRootOf(path: string): string | undefined {
  if (directories.size === 0) return undefined
  const names = everyNameOf(path)
  for (const directory of directories) {
    if (names.some((name) => isWithin(name, directory))) return directory
  }
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
  const made = links.flatMap(namesOfLink)
  const led = everyNameOf(real)
  return [...more, ...directories].find(
    (root) => made.some((link) => isBelow(link, root)) && !led.some((name) => isWithin(name, root)),
  )
}

/** Not of what it leads to. */
const namesOfLink = (link: string): string[] =>
  everyNameOf(dirname(link)).map((directory) => join(directory, basename(link)))
