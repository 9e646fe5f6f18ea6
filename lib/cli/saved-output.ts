// The file for output that is longer than a result gives it: a directory of its own, which disappears with the command.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SaveOutputOptions } from '../engine/save-output.js'
import { TextStream } from '../output/text-stream.js'

const chunkBytes = 256 * 1024

export class SavedOutput {
  /** For the engine; undefined when there is no place for temporary files. */
  readonly options: SaveOutputOptions | undefined
  /** Why there is none. */
  readonly problem: string | undefined
  readonly #directory: string | undefined
  readonly #text = new TextStream()
  #file: FileHandle | undefined
  #position = 0

  constructor() {
    try {
      this.#directory = mkdtempSync(join(tmpdir(), 'bashward-run-'))
      this.options = { directory: this.#directory }
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
    }
    // A second signal ends the program at once.
    process.once('exit', this.#removeDirectory)
  }

  /** Bytes of the output that {@link copy} has given. */
  get copiedBytes(): number {
    return this.#position
  }

  /**
   * Gives the text that has come to the file since the last call.
   *
   * @param write returns whether it wants more
   * @param isLast the output has ended, and an unfinished character with it
   * @returns whether `write` wants more
   */
  async copy(write: (text: string) => Promise<boolean>, isLast: boolean): Promise<boolean> {
    this.#file ??= await this.#open()
    if (this.#file === undefined) return true
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position)
      if (bytesRead === 0) break
      if (!(await write(this.#text.write(buffer.subarray(0, bytesRead), 0)))) return false
      this.#position += bytesRead
    }
    return isLast ? await write(this.#text.end()) : true
  }

  /** Removes the file. To be called when the command has ended, whatever became of it. */
  async remove(): Promise<void> {
    await this.#file?.close()
    this.#removeDirectory()
    process.off('exit', this.#removeDirectory)
  }

  readonly #removeDirectory = () => {
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true })
  }

  /** @returns undefined as long as there is no need for the file */
  async #open(): Promise<FileHandle | undefined> {
    if (this.#directory === undefined) return undefined
    const [name] = readdirSync(this.#directory)
    if (name === undefined) return undefined
    const path = join(this.#directory, name)
    const file = await open(path)
    // Should this process be killed, nothing stays on the disk.
    rmSync(path)
    return file
  }
}
