// Being told that something happens to a job: inotify on its directory, where there is any.

import { type FSWatcher, watch } from 'node:fs'

/** What has happened: the supervisor has written its last file, or the directory itself is gone; or there is output. */
export type Change = 'end' | 'output'

/** Files that come with the end of a job. */
const lastFiles: ReadonlySet<string | null> = new Set(['exit.json', 'exit.json.tmp'])

/** Notes what happens to a job from its making on, so that nothing is missed between a look and a wait. */
export class Changes {
  #watcher: FSWatcher | undefined
  #seen: Change | undefined
  #notify: () => void = () => {}

  /** @param directory of the job. Where it cannot be watched (no instance of inotify is left) nothing is ever told */
  constructor(directory: string) {
    // Elsewhere not every change of a file is told to whoever watches its directory.
    if (process.platform !== 'linux') return
    try {
      this.#watcher = watch(directory, { persistent: false })
    } catch {
      return
    }
    this.#watcher.on('change', (type, name) => {
      if (name === 'output' && type === 'change') this.#see('output')
      // The directory itself is named when it is removed.
      else if (lastFiles.has(String(name)) || type === 'rename') this.#see('end')
    })
    this.#watcher.on('error', () => {
      this.#see('end')
      this.close()
    })
  }

  /** Whether anything will be told. */
  get areWatched(): boolean {
    return this.#watcher !== undefined
  }

  /** The first thing that has happened, or the weightier one. */
  get seen(): Change | undefined {
    return this.#seen
  }

  /** Calls back once, when something happens; at once when it has. */
  onNext(callback: () => void): void {
    this.#notify = callback
    if (this.#seen !== undefined) callback()
  }

  /** Frees what is watched. Nothing is told from now on. */
  close(): void {
    this.#watcher?.close()
    this.#watcher = undefined
    this.#notify = () => {}
  }

  #see(change: Change): void {
    if (this.#seen !== 'end') this.#seen = change
    this.#notify()
  }
}
