// Where a path of a denial leads. The command chose it, so it may lead to a file system that does not answer, or that is
// mounted by being looked at: nothing below such a mount is touched, and none of this is awaited by the event loop.

import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../../base/util/absolute-paths.js'

export interface Place {
  /** Without symbolic links, as far as it could be followed. */
  path: string
  /** The last directory on the way that exists, the path itself included; undefined: it is not known. */
  directory: string | undefined
}

/** Looked up for one command; what is beyond is taken as it stands. */
const maxLookups = 64
/** As Linux follows them. */
const maxLinks = 40
const maxComponents = 256

const risky = /^(?:autofs|proc|nfs|cifs|smb|afs|ceph|gfs|ocfs|lustre|9p|fuse)/

/** Follows paths. @param trusted directories that this host works in anyway, whatever their file system is */
export class Places {
  readonly #trusted: readonly string[]
  readonly #mounts: Mount[] | undefined
  #left = maxLookups

  constructor(trusted: readonly string[]) {
    this.#trusted = trusted
    this.#mounts = mounts()
  }

  /** @param path absolute */
  follow(path: string): Place {
    if (this.#mounts === undefined || this.#left-- <= 0) return { path: join(path), directory: undefined }
    let links = 0
    let directory = '/'
    let current = '/'
    const todo = components(path)
    for (let looked = 0; todo.length > 0 && looked < maxComponents; looked++) {
      const name = todo.shift() ?? ''
      if (name === '..') {
        current = dirname(current)
        directory = current
        continue
      }
      const next = join(current, name)
      if (this.#isRisky(next)) return { path: join(next, ...todo), directory: undefined }
      const kind = kindOf(next)
      if (kind === 'link' && links++ < maxLinks) {
        const target = linkTarget(next)
        if (target.startsWith('/')) current = directory = '/'
        todo.unshift(...components(target))
        continue
      }
      current = next
      if (kind !== 'directory') return { path: join(current, ...todo), directory }
      directory = current
    }
    return { path: join(current, ...todo), directory }
  }

  /** Whether nobody knows how long a look at it takes. */
  #isRisky(path: string): boolean {
    const mount = this.#mounts?.find(({ point }) => isWithin(path, point))
    if (mount === undefined || !risky.test(mount.type)) return false
    return mount.point !== '/' && !this.#trusted.some((directory) => isWithin(directory, mount.point))
  }
}

function components(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

type Kind = 'directory' | 'link' | 'other'

function kindOf(path: string): Kind {
  try {
    const found = lstatSync(path)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'directory' : 'other'
  } catch {
    return 'other'
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

interface Mount {
  point: string
  type: string
}

/** The one that a path lies in is the first that is above it; undefined: they are not known. */
function mounts(): Mount[] | undefined {
  let text: string
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return undefined
  }
  // proc_pid_mountinfo(5): what is mounted later hides what is there.
  const found = text.split('\n').reverse()
  return found
    .flatMap((line): Mount[] => {
      const [place = '', source = ''] = line.split(' - ')
      const point = place.split(' ')[4]
      if (point === undefined) return []
      return [{ point: point.replace(/\\([0-7]{3})/g, unescapeOctal), type: source.split(' ')[0] ?? '' }]
    })
    .sort((one, other) => other.point.length - one.point.length)
}

function unescapeOctal(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 8))
}
