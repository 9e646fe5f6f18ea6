// Whether commands can change this program: what starts it the next time would run what they have left there.

import { accessSync, constants, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isWithin, realNameOf } from '../../base/util/absolute-paths.js'
import { homeDirectory } from '../../base/util/directories.js'
import { writableRootOf } from '../../guard/sandbox/ever-writable.js'
import { type SandboxPolicy, sharedMemoryDirectory } from '../../guard/sandbox/policy.js'
import { currentEngine } from '../../processes/engine/choose.js'
import { UsageError } from './command-line.js'
import { ownFiles, ownTrees } from './own-files.js'
import { writeText } from './stdio.js'
import { rememberAcrossPrograms } from './writable-memory.js'

/** A file of this program's, and the directory by which it can be changed. */
export interface ChangeablePlace {
  path: string
  root: string
  /** Whether commands that are to run now can, not only those of earlier programs. */
  now: boolean
}

/**
 * To be called before anything is started. Says once on stderr that commands can change this program, where they can.
 *
 * @param allowed what commands are to be able to write to, as it was given
 * @param strict whether to end instead
 * @throws {UsageError} (rejects) in that case
 */
export async function checkOwnPlace(
  program: string,
  allowed: Pick<SandboxPolicy, 'writable' | 'sharedMemory'> | undefined,
  strict: boolean,
): Promise<void> {
  rememberAcrossPrograms()
  const shared = allowed?.sharedMemory ? [sharedMemoryDirectory] : []
  const place = changeablePlace([...(allowed?.writable ?? []), ...shared])
  if (place === undefined) return
  const { path, root, now } = place
  const when = now ? 'can write' : 'of an earlier run could write'
  const text = `commands ${when} to ${root}, and so to ${path}: whoever starts it next may run what they leave there`
  if (strict) throw new UsageError(program, `--strict: ${text}; ${cure}`)
  await writeText(process.stderr, `${program}: ${text}; ${cure}\n`)
}

/** What to do about it. */
export const cure = 'install bashward elsewhere (npm install -g bashward), and call it by its absolute path'

/** @param roots as they were given: a relative one begins where this program runs */
export function changeablePlace(roots: readonly string[] = []): ChangeablePlace | undefined {
  const named = roots.map((root) => realNameOf(resolve(root.replace(/^~(?=\/|$)/, homeDirectory()))))
  const writable = named.flatMap((root) => [root, ...otherNamesOf(root)])
  for (const path of new Set(ownFiles())) {
    for (const name of [path, ...otherNamesOf(path)]) {
      const root = writable.find((each) => isWithin(name, each))
      if (root !== undefined && canBeChanged(name, root)) return { path: name, root, now: true }
      const earlier = writableRootOf(name)
      if (earlier !== undefined && canBeChanged(name, earlier))
        return { path: name, root: earlier, now: false }
    }
  }
  return placeInside(writable)
}

/** A root that is a part of the program. */
function placeInside(writable: readonly string[]): ChangeablePlace | undefined {
  const trees = ownTrees()
  const root = writable.find((each) => trees.some((tree) => isWithin(each, tree)))
  return root === undefined || !isChangeable(root) ? undefined : { path: root, root, now: true }
}

/** By other mounts: of the path, of a link itself, and of what does not exist yet. */
function otherNamesOf(path: string): string[] {
  const { otherNames } = currentEngine()
  const besides = otherNames(dirname(path)).map((directory) => join(directory, basename(path)))
  return [...otherNames(path), ...besides]
}

/** Whether this user may change a file, or what stands in its place, by a directory on the way from `root`. */
function canBeChanged(path: string, root: string): boolean {
  for (let each = path; isWithin(each, root); each = dirname(each)) {
    if (isChangeable(each)) return true
    if (each === '/') break
  }
  return false
}

function isChangeable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    // Its owner may change the mode; where the file system is read-only not even he may do anything.
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return false
    return statSync(path, { throwIfNoEntry: false })?.uid === process.geteuid?.()
  }
}
