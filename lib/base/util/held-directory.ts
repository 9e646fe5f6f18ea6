// Directories that stay the same whatever becomes of their paths: where a command may write, one can be exchanged for a link
// at any moment.

import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Uses a directory by its descriptor, so that it is the one that was checked.
 *
 * @param real its path without symbolic links
 * @param use gets a path for this call only
 * @throws the system's error; an Error when a link stands on the way by now; rejects as `use` does
 */
export async function withDirectory<Value>(
  real: string,
  use: (inside: string) => Promise<Value>,
): Promise<Value> {
  if (process.platform !== 'linux') return await use(real)
  const descriptor = openSync(real, flags)
  try {
    const inside = `/proc/self/fd/${descriptor}`
    const place = readlinkSync(inside)
    if (place !== real) throw new Error(`${real} leads to ${place} by now`)
    return await use(inside)
  } finally {
    closeSync(descriptor)
  }
}

export class HeldDirectory {
  readonly path: string
  /** Where its files are, by the descriptor. */
  readonly inside: string
  #descriptor: number

  /**
   * @param prefix of its path, which ends in six random characters
   * @throws the system's error, also where there is no /proc to reach it by
   */
  constructor(prefix: string) {
    this.path = mkdtempSync(prefix)
    this.#descriptor = openSync(this.path, flags)
    this.inside = process.platform === 'linux' ? `/proc/self/fd/${this.#descriptor}` : this.path
    try {
      this.names()
    } catch (error) {
      rmdirSync(this.path)
      closeSync(this.#descriptor)
      throw error
    }
  }

  names(): string[] {
    return readdirSync(this.inside)
  }

  /** With its files; it has no directories. What cannot be removed is left. */
  remove(): void {
    if (this.#descriptor === -1) return
    try {
      for (const name of this.names()) unlinkSync(`${this.inside}/${name}`)
      rmdirSync(this.path)
    } catch {
      // Gone, or a command is at work in it.
    } finally {
      closeSync(this.#descriptor)
      this.#descriptor = -1
    }
  }
}
