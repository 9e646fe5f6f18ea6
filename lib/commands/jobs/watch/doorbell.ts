// Being told that something may have changed in the directories that stand beside the jobs. What has changed, nobody says:
// notifications get lost (inotify(7)), so the directories are read again after each.

import { type FSWatcher, statfsSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { makeDirectories } from '../../../base/util/directories.js'
import type { WatchPaths } from '../../../processes/engine/job-format/watch-layout.js'
import { directoryError, directoryIdentity } from '../directory.js'

/** Where nothing is told, a look so often, milliseconds. */
const pollMs = 500

/** File systems that tell nothing of what other machines do (statfs(2)): NFS, SMB, CIFS, SMB2, 9p, FUSE, AFS, Ceph. */
const remote: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400,
])

interface Watched {
  watcher: FSWatcher
  /** Which directory it was. */
  identity: string
}

export class Doorbell {
  readonly #paths: WatchPaths
  readonly #ring: () => void
  readonly #watched = new Map<string, Watched>()
  #poll: NodeJS.Timeout | undefined
  #isOpen = true

  /**
   * Makes what is not there yet.
   *
   * @param ring called whenever something may have changed
   * @throws {BashError} ERR_JOB_DIRECTORY
   */
  constructor(paths: WatchPaths, ring: () => void) {
    this.#paths = paths
    this.#ring = ring
    this.check()
  }

  /** Whether it looks now and then, since nobody would tell it. */
  get isPolling(): boolean {
    return this.#poll !== undefined
  }

  /** To be called before each look: opens directories anew that have been replaced. */
  check(): void {
    const { root, running, ended } = this.#paths
    for (const path of [running, ended]) {
      try {
        makeDirectories(path, 0o700)
      } catch (cause) {
        throw directoryError('mkdir', path, cause)
      }
    }
    if (this.#poll !== undefined || !this.#isOpen) return
    try {
      if (isRemote(ended)) this.#beginPolling()
      else for (const path of [root, running, ended]) this.#watch(path)
    } catch {
      // No instance of inotify is left, or no watch; or the directory is gone again.
      this.#beginPolling()
    }
  }

  close(): void {
    this.#isOpen = false
    clearInterval(this.#poll)
    this.#poll = undefined
    this.#closeWatchers()
  }

  #watch(path: string): void {
    const known = this.#watched.get(path)
    // Before it is opened: should it be replaced at this moment, it is merely opened once more.
    const identity = directoryIdentity(path)
    if (known?.identity === identity) return
    known?.watcher.close()
    const watcher = watch(path)
    this.#watched.set(path, { watcher, identity })
    const { root } = this.#paths
    watcher.on('change', (type, name) => {
      // Of what is written to a file nothing follows. Of the directory of all jobs only its own end counts.
      if (type === 'rename' && (path !== root || name === null || name === basename(root))) this.#ring()
    })
    watcher.on('error', () => {
      this.#beginPolling()
      this.#ring()
    })
  }

  #beginPolling(): void {
    this.#closeWatchers()
    if (this.#isOpen) this.#poll ??= setInterval(this.#ring, pollMs)
  }

  #closeWatchers(): void {
    for (const { watcher } of this.#watched.values()) watcher.close()
    this.#watched.clear()
  }
}

function isRemote(path: string): boolean {
  // Elsewhere not every change of a directory is told.
  if (process.platform !== 'linux') return true
  // The number is signed on some systems.
  return remote.has(statfsSync(path).type >>> 0)
}
