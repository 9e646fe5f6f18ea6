// The file with the whole output of a command, written while it runs.

import { createWriteStream, type WriteStream } from 'node:fs'
import { constants } from 'node:os'
import { finished } from 'node:stream/promises'
import { setTimeout as delay, setImmediate as nextLook } from 'node:timers/promises'
import { errnoOf } from './completion.js'

/** Bytes that wait for the disk, beyond which nothing more is read. */
const congestion = 4 * 1024 * 1024

/** How long a result waits for a disk that does not take the rest. */
const closeMs = 5_000

export class SavedFile {
  readonly #path: string
  readonly #limit: number
  readonly #onRelief: () => void
  #file: WriteStream | undefined
  #accepted = 0
  #errno = 0

  /**
   * @param path of a file that does not exist; it is created with the first byte
   * @param onRelief called when {@link congested} is over
   */
  constructor(path: string, limit: number, onRelief: () => void) {
    this.#path = path
    this.#limit = limit
    this.#onRelief = onRelief
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
      .on('error', (error) => {
        this.#errno = errnoOf(error)
        this.#onRelief()
      })
  }

  /** @returns the bytes in it; and 0, or why it is missing or incomplete */
  async close(): Promise<{ bytes: number; errno: number }> {
    const file = this.#file
    if (file === undefined) return { bytes: 0, errno: 0 }
    file.end()
    const ended = finished(file).catch(() => {})
    // Node runs due timers before it looks at what lies there.
    const late = delay(closeMs, undefined, { ref: false }).then(() => nextLook(true))
    const isLate = await Promise.race([ended, late])
    if (isLate) this.#errno ||= constants.errno.ETIMEDOUT
    return { bytes: file.bytesWritten, errno: this.#errno }
  }
}
