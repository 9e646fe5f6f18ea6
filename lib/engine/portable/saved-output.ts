// The file with the whole output of a command, written while it runs.

import { createWriteStream, type WriteStream } from 'node:fs'
import { constants } from 'node:os'

/** Bytes that wait for the disk, beyond which nothing more is read. */
const congestion = 4 * 1024 * 1024

/** How long a result waits for a disk that does not take the rest. */
const closeMs = 5_000

export interface SaveReport {
  bytes: number
  /** 0, or why the file is missing or incomplete. */
  errno: number
}

export class SavedOutput {
  readonly #path: string
  readonly #limit: number
  #file: WriteStream | undefined
  #accepted = 0
  #errno = 0
  #onRelief = () => {}

  /** @param path of a file that does not exist; it is created with the first byte */
  constructor(path: string, limit: number) {
    this.#path = path
    this.#limit = limit
  }

  /** Called when {@link congested} is over. */
  set onRelief(callback: () => void) {
    this.#onRelief = callback
  }

  get congested(): boolean {
    return this.#errno === 0 && (this.#file?.writableLength ?? 0) > congestion
  }

  /** Copies what it takes. */
  append(bytes: Buffer): void {
    const taken = bytes.subarray(0, this.#limit - this.#accepted)
    if (this.#errno !== 0 || taken.length === 0) return
    this.#file ??= this.#open()
    this.#accepted += taken.length
    this.#file.write(Buffer.from(taken))
  }

  #open(): WriteStream {
    const file = createWriteStream(this.#path, { flags: 'wx', mode: 0o600 })
    return file
      .on('drain', () => this.#onRelief())
      .on('error', ({ errno = -constants.errno.EIO }: NodeJS.ErrnoException) => {
        this.#errno = -errno
        this.#onRelief()
      })
  }

  async close(): Promise<SaveReport> {
    const file = this.#file
    if (file === undefined) return { bytes: 0, errno: 0 }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#errno ||= constants.errno.ETIMEDOUT
        resolve()
      }, closeMs)
      file.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      file.end()
    })
    return { bytes: file.bytesWritten, errno: this.#errno }
  }
}
