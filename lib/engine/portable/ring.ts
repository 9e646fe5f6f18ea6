// The last bytes of a stream, in a buffer of fixed size.

export class Ring {
  readonly #buffer: Buffer
  #total = 0

  constructor(size: number) {
    this.#buffer = Buffer.alloc(size)
  }

  /** Bytes appended so far. */
  get total(): number {
    return this.#total
  }

  append(bytes: Buffer): void {
    const size = this.#buffer.length
    const last = bytes.subarray(Math.max(bytes.length - size, 0))
    this.#total += bytes.length
    const start = (this.#total - last.length) % size
    const first = last.copy(this.#buffer, start)
    last.copy(this.#buffer, 0, first)
  }

  /** Those that are there, in their order. */
  bytes(): Buffer {
    const size = this.#buffer.length
    if (this.#total <= size) return this.#buffer.subarray(0, this.#total)
    const start = this.#total % size
    return Buffer.concat([this.#buffer.subarray(start), this.#buffer.subarray(0, start)])
  }
}
