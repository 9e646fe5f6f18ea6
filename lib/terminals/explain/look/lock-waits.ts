// What a thread waits for that wants the lock of a file.

import type { Piece } from '../finding.js'
import { fileOf } from './locks.js'
import type { Scene } from './scene.js'
import { ranks, type Wait } from './words.js'

/** @param descriptor -1: not known */
export function lockWait(scene: Scene, pid: number, descriptor: number): Wait {
  const { proc, locks, descriptors } = scene
  const lock = locks.wantedBy(pid)
  const candidates = descriptor >= 0 ? [descriptor] : descriptors.links(pid).map((each) => each.descriptor)
  const its =
    descriptor >= 0
      ? descriptor
      : candidates.find((each) => lock !== undefined && fileOf(proc, pid, each) === lock.file)
  const path = its === undefined ? undefined : proc.link(`${pid}/fd/${its}`)
  const text: Piece[] =
    path === undefined ? ['waiting for the lock of a file'] : ['waiting for the lock of ', { path }]
  const holder = lock?.holder ?? 0
  const peer =
    holder > 0 && holder !== pid
      ? { peer: { pid: holder, isOwn: scene.pids.has(holder), word: ', held by ' } }
      : {}
  return { kind: 'lock', text, rank: ranks.lock, ...peer }
}

/** Of a process that sleeps and looks again: a file that it has open and another process has locked. */
export function openLockedFile(scene: Scene, pid: number): Wait | undefined {
  const { proc, locks, descriptors, pids } = scene
  const held = new Map(locks.heldByOthers(pid).map((lock) => [lock.file, lock]))
  if (held.size === 0) return undefined
  for (const { descriptor, link } of descriptors.links(pid)) {
    const file = link.startsWith('/') ? fileOf(proc, pid, descriptor) : undefined
    const lock = file === undefined ? undefined : held.get(file)
    if (lock === undefined) continue
    const text: Piece[] = ['asleep again and again while it has ', { path: link }, ' open, which is locked']
    const peer = { pid: lock.holder, isOwn: pids.has(lock.holder), word: ' by ' }
    return { kind: 'lock', text, rank: ranks.lock, peer }
  }
  return undefined
}
