// What commands of earlier programs could write to, in the user's state directory: for `bashward run` and `bashward mcp`,
// each of which would otherwise know only of its own commands.
//
// Each directory is a symbolic link to it, named by its hash: made whole by one system call, so that no program needs to
// wait for another. What has not been writable for thirty days is forgotten, as are the oldest of more than a thousand.

import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { crypto } from '../../base/util/lazy.js'
import type { WritableMemory } from './ever-writable.js'

const mostKept = 1000
const maxAgeMs = 30 * 24 * 60 * 60 * 1000
/** How often the age of one is set back. */
const renewalMs = 24 * 60 * 60 * 1000
const name = /^[0-9a-f]{32}$/
const writableByOthers = 0o022

/**
 * As well as it goes: where the directory cannot be used, a program remembers what its own commands could write to.
 *
 * @param directory an absolute path; it is made with the first entry
 */
export function memoryAt(directory: string): WritableMemory {
  const kept = new Map<string, number>()

  function keep(root: string): void {
    const now = Date.now()
    if (now - (kept.get(root) ?? 0) < renewalMs) return
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (!isOwn(directory)) return
    const path = join(directory, nameOf(root))
    try {
      symlinkSync(root, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      lutimesSync(path, now / 1000, now / 1000)
    }
    kept.set(root, now)
  }

  function recall(): string[] {
    if (!isOwn(directory)) return []
    const now = Date.now()
    const found = readdirSync(directory).flatMap((entry) => (name.test(entry) ? look(directory, entry) : []))
    const newestFirst = found.sort((a, b) => b.at - a.at)
    const isKept = ({ at }: Entry, index: number) => index < mostKept && now - at < maxAgeMs
    for (const [index, entry] of newestFirst.entries()) {
      if (!isKept(entry, index)) attempt(() => unlinkSync(entry.path))
    }
    return newestFirst.filter(isKept).map(({ root }) => root)
  }

  return { keep: (root) => attempt(() => keep(root)), recall: () => attempt(recall) ?? [] }
}

interface Entry {
  path: string
  root: string
  /** When it was last writable, milliseconds since the epoch. */
  at: number
}

/** Nothing where another program has just removed it, or it is no entry. */
function look(directory: string, entry: string): Entry[] {
  const path = join(directory, entry)
  const root = attempt(() => readlinkSync(path))
  const stats = attempt(() => lstatSync(path))
  if (root === undefined || stats === undefined || nameOf(root) !== entry) return []
  return [{ path, root, at: stats.mtimeMs }]
}

const nameOf = (root: string): string => crypto().createHash('sha256').update(root).digest('hex').slice(0, 32)

/** What others could have written there tells nothing. */
function isOwn(directory: string): boolean {
  const stats = lstatSync(directory)
  return stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & writableByOthers) === 0
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
