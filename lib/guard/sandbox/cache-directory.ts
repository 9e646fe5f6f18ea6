// Where package managers keep what they have downloaded: HOME cannot be written to. Commands that have the same writable
// directories share it, and no others: what one puts there, the next one executes, as it does in those directories. One
// that no command has had for thirty days is removed when another is made.

import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { overlap, realNameOf } from '../../base/util/absolute-paths.js'
import { makeDirectories } from '../../base/util/directories.js'
import { crypto } from '../../base/util/lazy.js'
import { ownState } from '../../base/util/own-state.js'
import { openRegularFile } from '../../base/util/regular-file.js'
import { removeTree } from '../../base/util/remove-tree.js'

const maxAgeMs = 30 * 24 * 60 * 60 * 1000
/** How often its age is set back. */
const renewalMs = 24 * 60 * 60 * 1000

/**
 * It is made where it is missing: beside the jobs, where no policy lets a command write.
 *
 * @param roots the writable directories, absolute and without symbolic links
 * @param unreadable what it cannot be in
 * @returns its absolute path, without symbolic links; undefined where there can be none
 */
export function cacheDirectoryFor(
  roots: readonly string[],
  unreadable: readonly string[],
): string | undefined {
  try {
    const state = ownState()
    if (state === undefined) return undefined
    const parent = join(state, 'caches')
    const name = nameOf(roots)
    const isNew = !existsSync(join(parent, name))
    // What XDG_CACHE_HOME names: not every program makes it.
    makeDirectories(join(parent, name, 'cache'), 0o700)
    const directory = join(realNameOf(parent), name)
    const isLost = unreadable.some((path) => overlap(directory, path) || fits(directory, path))
    if (!isOwn(directory) || isLost) return undefined
    renew(directory)
    if (isNew) removeOld(parent)
    return directory
  } catch {
    return undefined
  }
}

/** When it was last given to a command is the time of a file beside it: its own is for commands to set. */
const markOf = (directory: string): string => `${directory}.used`

const renewed = new Map<string, number>()

function renew(directory: string): void {
  const now = Date.now()
  if (now - (renewed.get(directory) ?? 0) < renewalMs) return
  const mark = markOf(directory)
  closeSync(openRegularFile(mark, constants.O_WRONLY | constants.O_CREAT))
  utimesSync(mark, now / 1000, now / 1000)
  renewed.set(directory, now)
}

const named = /^[0-9a-f]{32}$/
/** What is being removed. Another program may have ended in the middle of that. */
const removed = /^[0-9a-f]{32}\.removed$/

/** While the command runs; nobody waits for it, and what cannot be removed stays. */
function removeOld(parent: string): void {
  const now = Date.now()
  for (const name of readdirSync(parent)) {
    const directory = join(parent, name)
    try {
      if (removed.test(name)) void end(directory)
      else if (named.test(name) && now - lstatSync(markOf(directory)).mtimeMs > maxAgeMs) {
        // In one step: nobody is to find half a cache.
        renameSync(directory, `${directory}.removed`)
        unlinkSync(markOf(directory))
        void end(`${directory}.removed`)
      }
    } catch {
      // Another program has just removed it, say.
    }
  }
}

async function end(directory: string): Promise<void> {
  // Whoever makes the next one tries again.
  await removeTree(directory).catch(() => {})
}

function nameOf(roots: readonly string[]): string {
  const text = JSON.stringify([...roots].sort())
  return crypto().createHash('sha256').update(text).digest('hex').slice(0, 32)
}

const othersCanWrite = 0o022

function isOwn(directory: string): boolean {
  const stats = lstatSync(directory)
  return stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & othersCanWrite) === 0
}

/** Whether it is, or is in, what a path with `*` in its last component stands for. */
function fits(directory: string, path: string): boolean {
  if (!path.includes('*')) return false
  const components = directory.split('/').slice(0, path.split('/').length)
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${pattern}$`).test(components.join('/'))
}
