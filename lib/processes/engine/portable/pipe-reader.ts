// Reads a pipe as it fills, into one buffer, and on request all that is in it at once.

import { readSync } from 'node:fs'
import { Socket } from 'node:net'

/** A default pipe holds 64 KiB. */
const readSize = 64 * 1024

/** More than any pipe holds: what a survivor writes meanwhile has an end. */
const mostAtOnce = 1024 * 1024

export class PipeReader {
  readonly #fd: number
  readonly #onBytes: (bytes: Buffer) => boolean
  readonly #onEnd: () => void
  readonly #socket: Socket
  readonly #buffer = Buffer.allocUnsafeSlow(readSize)
  #ended = false

  /**
   * @param fd the read end of a pipe, not blocking; this closes it
   * @param onBytes returns false to read no further until {@link resume}; the bytes are valid only within the call
   * @param onEnd called once, when every write end is closed, or this end
   */
  constructor(fd: number, onBytes: (bytes: Buffer) => boolean, onEnd = () => {}) {
    this.#fd = fd
    this.#onBytes = onBytes
    this.#onEnd = onEnd
    const onread = { buffer: this.#buffer, callback: (size: number) => this.#give(size) }
    // The types know `onread` of connect() only; the constructor has had it as long.
    const options = { fd, readable: true, writable: false, onread }
    this.#socket = new Socket(options)
    this.#socket.on('end', () => this.close()).on('error', () => this.close())
    this.#socket.resume()
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Reads everything that is in the pipe now, before anything else happens. */
  readAvailable(): void {
    for (let total = 0; !this.#ended && total < mostAtOnce; ) {
      const size = this.#read()
      if (size < 0) break
      if (size === 0) this.close()
      else this.#give(size)
      total += size
    }
  }

  /** @returns 0 at the end, -1 when nothing is there */
  #read(): number {
    try {
      return readSync(this.#fd, this.#buffer)
    } catch {
      return -1
    }
  }

  #give(size: number): boolean {
    return this.#onBytes(this.#buffer.subarray(0, size))
  }

  resume(): void {
    this.#socket.resume()
  }

  /** The event loop need not wait for its end any more. */
  unref(): void {
    this.#socket.unref()
  }

  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#socket.destroy()
    this.#onEnd()
  }
}
