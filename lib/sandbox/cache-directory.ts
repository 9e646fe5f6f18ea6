// Where package managers keep what they have downloaded: HOME cannot be written to. Commands that have the same writable
// directories share it, and no others: what one puts there, the next one executes, as it does in those directories.

import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultJobsDirectory } from '../jobs/directory.js'
import { overlap, realNameOf } from '../util/absolute-paths.js'
import { makeDirectories } from '../util/directories.js'
import { crypto } from '../util/lazy.js'

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
    const parent = join(dirname(defaultJobsDirectory()), 'caches')
    const name = nameOf(roots)
    // What XDG_CACHE_HOME names: not every program makes it.
    makeDirectories(join(parent, name, 'cache'), 0o700)
    const directory = join(realNameOf(parent), name)
    const isLost = unreadable.some((path) => overlap(directory, path) || fits(directory, path))
    return isOwn(directory) && !isLost ? directory : undefined
  } catch {
    return undefined
  }
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
