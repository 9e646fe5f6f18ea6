// Where a path leads, and by which symbolic links.

import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { realNameOf } from '../../base/util/absolute-paths.js'

export interface LinkedPath {
  /** The path without symbolic links. */
  real: string
  /** The symbolic links on the way, each where it really is. */
  links: readonly string[]
}

/** As many as the kernel follows (path_resolution(7)). */
const mostLinks = 40

/** @throws the system's error */
export function followLinks(path: string): LinkedPath {
  // What most are: without links, and looked up by one call.
  return realpathSync.native(path) === path ? { real: path, links: [] } : walk(path)
}

/**
 * Where a path can be changed so that it leads elsewhere: the links on the way, the directories that it leaves by `..`,
 * each where it really is, and what it leads to, which need not exist.
 */
export function placesOnTheWay(path: string): string[] {
  const left: string[] = []
  try {
    const { real, links } = walk(path, { left })
    return [...links, ...left, real]
  } catch {
    return [...left, realNameOf(path)]
  }
}

/**
 * The same for what may be made later: what is missing at the end, also of where a link leads, is taken as it is named.
 *
 * @throws the system's error
 */
export function followToMissing(path: string): LinkedPath {
  try {
    return followLinks(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return walk(path, { mayMiss: true })
  }
}

/** By one walk: links that others change meanwhile are seen as they were followed. */
function walk(path: string, { left = [] as string[], mayMiss = false } = {}): LinkedPath {
  const links: string[] = []
  const rest = partsOf(path)
  let real = '/'
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') {
      left.push(real)
      real = dirname(real)
      continue
    }
    const entry = join(real, name)
    const found = lstatSync(entry, { throwIfNoEntry: !mayMiss })
    if (found === undefined) return { real: join(entry, ...rest), links }
    if (!found.isSymbolicLink()) {
      real = entry
      continue
    }
    if (links.push(entry) > mostLinks) throw tooManyLinks(path)
    const target = readlinkSync(entry)
    if (target.startsWith('/')) real = '/'
    rest.unshift(...partsOf(target))
  }
  return { real, links }
}

const partsOf = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.')

function tooManyLinks(path: string): Error {
  const failure = { code: 'ELOOP', syscall: 'readlink', errno: -constants.errno.ELOOP, path }
  return Object.assign(new Error(`ELOOP: too many symbolic links, readlink '${path}'`), failure)
}
