// The first and the last bytes of a stream of any length, in bounded memory.

import type { CapturedStream } from '../../output/decode.js'

const firstSize = 4096

export class HeadTailBuffer {
  readonly #headLimit: number
  readonly #tailLimit: number
  #head: Buffer = Buffer.alloc(0)
  #headLength = 0
  /** Up to twice the limit, so that its front is cut off only now and then. */
  #tail: Buffer = Buffer.alloc(0)
  #tailLength = 0
  #total = 0

  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit
    this.#tailLimit = tailLimit
  }

  /** Bytes appended so far. */
  get total(): number {
    return this.#total
  }

  get headRoom(): number {
    return this.#headLimit - this.#headLength
  }

  get head(): Buffer {
    return this.#head.subarray(0, this.#headLength)
  }

  /** Copies what it keeps. */
  append(bytes: Buffer): void {
    this.#total += bytes.length
    const taken = Math.min(bytes.length, this.headRoom)
    if (taken > 0) {
      this.#head = withRoom(this.#head, this.#headLength, taken, this.#headLimit)
      bytes.copy(this.#head, this.#headLength, 0, taken)
      this.#headLength += taken
    }
    if (taken < bytes.length && this.#tailLimit > 0) this.#appendTail(bytes.subarray(taken))
  }

  #appendTail(bytes: Buffer): void {
    const limit = this.#tailLimit
    const kept = bytes.subarray(Math.max(bytes.length - limit, 0))
    if (this.#tailLength + kept.length > 2 * limit) {
      const rest = limit - kept.length
      this.#tail.copy(this.#tail, 0, this.#tailLength - rest, this.#tailLength)
      this.#tailLength = rest
    }
    this.#tail = withRoom(this.#tail, this.#tailLength, kept.length, 2 * limit)
    kept.copy(this.#tail, this.#tailLength)
    this.#tailLength += kept.length
  }

  captured(): CapturedStream {
    const start = Math.max(this.#tailLength - this.#tailLimit, 0)
    return { head: this.head, tail: this.#tail.subarray(start, this.#tailLength), total: this.#total }
  }
}

/** The buffer, or a larger one with the same beginning. */
function withRoom(buffer: Buffer, length: number, added: number, limit: number): Buffer {
  if (length + added <= buffer.length) return buffer
  const size = Math.min(limit, Math.max(firstSize, 2 * buffer.length, length + added))
  const larger = Buffer.allocUnsafe(size)
  buffer.copy(larger, 0, 0, length)
  return larger
}
