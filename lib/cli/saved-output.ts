// The file for output that is longer than a result gives it: a directory of its own, which disappears with the command.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextStream } from '../output/text-stream.js'
import type { SaveOutputOptions } from '../run/save-output.js'

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

  /** Whether there is a file: there is none as long as the result can have all of the output. */
  hasBegun(): boolean {
    if (this.#file !== undefined) return true
    return this.#directory !== undefined && readdirSync(this.#directory).length > 0
  }

  /**
   * Gives the text that has come to the file since the last call. To be called when it {@link hasBegun}.
   *
   * @param write returns whether it wants more
   * @param isLast the output has ended, and an unfinished character with it
   * @returns whether `write` wants more
   */
  async copy(write: (text: string) => Promise<boolean>, isLast: boolean): Promise<boolean> {
    this.#file ??= await openFirst(this.#directory ?? '')
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
}

async function openFirst(directory: string): Promise<FileHandle> {
  const [name = ''] = readdirSync(directory)
  const path = join(directory, name)
  const file = await open(path)
  // Should this process be killed, nothing stays on the disk.
  rmSync(path)
  return file
}
