// What local_file and local_dir of a manifest name: files of the host's own, which the host reads for itself. A command may have
// been there all the same: no link is followed, nothing is waited for, and nothing has to fit into memory.

import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isWithin, realNameOf } from '../../util/absolute-paths.js'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

export interface SourceEntry {
  name: string
  type: 'file' | 'directory' | 'link' | 'other'
}

/** A file or a directory that is open. */
export class Source {
  readonly #file: FileHandle

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /**
   * @param grants directories besides that of this process
   * @returns undefined for what is in none of them. @throws the system's error
   */
  static async open(src: string, grants: readonly string[]): Promise<Source | undefined> {
    const base = process.cwd()
    const file = await open(resolve(base, src), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const real = await readlink(`/proc/self/fd/${file.fd}`)
    if ([base, ...grants].some((each) => isWithin(real, realNameOf(each)))) return new Source(file)
    await file.close()
    return undefined
  }

  async kind(): Promise<{ isFile: boolean; isDirectory: boolean; mode: number }> {
    const found = await this.#file.stat()
    return { isFile: found.isFile(), isDirectory: found.isDirectory(), mode: found.mode & 0o777 }
  }

  async entries(): Promise<SourceEntry[]> {
    const entries = await readdir(this.#inside(), { withFileTypes: true })
    return entries.map((entry) => {
      const kind = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other'
      return { name: entry.name, type: entry.isFile() ? 'file' : kind }
    })
  }

  async entry({ name, type }: SourceEntry): Promise<Source> {
    const flags = O_RDONLY | O_NOFOLLOW | (type === 'directory' ? O_DIRECTORY : O_NONBLOCK)
    return new Source(await open(`${this.#inside()}/${name}`, flags))
  }

  content(): AsyncIterable<Uint8Array> {
    return this.#file.createReadStream({ autoClose: false })
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #inside(): string {
    return `/proc/self/fd/${this.#file.fd}`
  }
}
