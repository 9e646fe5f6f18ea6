// What must stay as it is: everything in a world but the project, the host's own code, and what bashward keeps of the user.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { World } from './world.js'

export type Snapshot = ReadonlyMap<string, string>

export function snapshotOutside({ base, project, app, state }: World): Snapshot {
  const found = new Map<string, string>()
  const left = new Set([project, app, state])
  const look = (path: string): void => {
    if (left.has(path)) return
    const stats = lstatSync(path)
    found.set(relative(base, path), `${stats.mode} ${stats.uid}:${stats.gid} ${contentOf(path)}`)
    if (stats.isDirectory()) for (const name of readdirSync(path)) look(join(path, name))
  }
  look(base)
  return found
}

/** Without times: those of a last access change when somebody looks, and a changed content shows itself. */
function contentOf(path: string): string {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return readlinkSync(path)
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
}

/** The names of what is there anew, is gone, or is another. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.filter((name) => before.get(name) !== after.get(name)).sort()
}
