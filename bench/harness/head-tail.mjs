// A bounded collector of output, for contenders that have none: the first 128 KiB and the last 4 KiB.

const HEAD_BYTES = 128 * 1024
const TAIL_BYTES = 4 * 1024
const FIRST_HEAD_BYTES = 8 * 1024

export class HeadTail {
  total = 0
  #head = Buffer.alloc(0)
  #headLength = 0
  #tail
  #tailLength = 0

  /** @param {Buffer} chunk */
  push(chunk) {
    this.total += chunk.length
    const rest = this.#headLength < HEAD_BYTES ? this.#pushHead(chunk) : chunk
    if (rest.length > 0) this.#pushTail(rest)
  }

  /** The text kept, with a mark where bytes are missing. */
  text() {
    const head = this.#head.toString('utf8', 0, this.#headLength)
    if (this.#tail === undefined) return head
    const kept = Math.min(this.#tailLength, TAIL_BYTES)
    const tail = this.#tail.toString('utf8', this.#tailLength - kept, this.#tailLength)
    return this.total > this.#headLength + kept ? `${head}\n\n[snip]\n\n${tail}` : head + tail
  }

  #pushHead(chunk) {
    const part = chunk.subarray(0, HEAD_BYTES - this.#headLength)
    const needed = this.#headLength + part.length
    if (needed > this.#head.length) {
      let size = Math.max(FIRST_HEAD_BYTES, this.#head.length)
      while (size < needed) size *= 4
      const grown = Buffer.allocUnsafe(size)
      this.#head.copy(grown, 0, 0, this.#headLength)
      this.#head = grown
    }
    part.copy(this.#head, this.#headLength)
    this.#headLength = needed
    return chunk.subarray(part.length)
  }

  // The buffer holds far more than the tail, so that few chunks make its end move back to the start.
  #pushTail(chunk) {
    this.#tail ??= Buffer.allocUnsafe(16 * TAIL_BYTES)
    const part = chunk.subarray(-TAIL_BYTES)
    if (this.#tailLength + part.length > this.#tail.length) {
      this.#tail.copyWithin(0, this.#tailLength - TAIL_BYTES, this.#tailLength)
      this.#tailLength = TAIL_BYTES
    }
    part.copy(this.#tail, this.#tailLength)
    this.#tailLength += part.length
  }
}
