// A directory that this process has made, and that stays the same whatever becomes of its path: what a command may write to
// can be exchanged for a link while the command runs.

import { closeSync, constants, mkdtempSync, openSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'

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
    this.#descriptor = openSync(this.path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
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
