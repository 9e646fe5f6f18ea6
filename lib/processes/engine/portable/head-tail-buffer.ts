// The first and the last bytes of a stream of any length, in bounded memory.

import type { CapturedStream } from '../../output/decode.js'

export class HeadTailBuffer {
  readonly #head: Buffer
  #headLength = 0
  readonly #tailLimit: number
  /** Twice the limit, so that its front is cut off only now and then. */
  readonly #tail: Buffer
  #tailLength = 0
  #total = 0

  // Room that is never written to costs nothing: the system provides pages on the first write.
  constructor(headLimit: number, tailLimit: number) {
    this.#head = Buffer.allocUnsafeSlow(headLimit)
    this.#tailLimit = tailLimit
    this.#tail = Buffer.allocUnsafeSlow(2 * tailLimit)
  }

  /** Bytes appended so far. */
  get total(): number {
    return this.#total
  }

  get headRoom(): number {
    return this.#head.length - this.#headLength
  }

  get head(): Buffer {
    return this.#head.subarray(0, this.#headLength)
  }

  get tail(): Buffer {
    return this.#tail.subarray(Math.max(this.#tailLength - this.#tailLimit, 0), this.#tailLength)
  }

  /** Copies what it keeps. */
  append(bytes: Buffer): void {
    this.#total += bytes.length
    const taken = bytes.copy(this.#head, this.#headLength)
    this.#headLength += taken
    const kept = bytes.subarray(Math.max(bytes.length - this.#tailLimit, taken))
    if (this.#tailLength + kept.length > this.#tail.length) {
      const rest = this.#tailLimit - kept.length
      this.#tail.copyWithin(0, this.#tailLength - rest, this.#tailLength)
      this.#tailLength = rest
    }
    this.#tailLength += kept.copy(this.#tail, this.#tailLength)
  }

  captured(): CapturedStream {
    return { head: this.head, tail: this.tail, total: this.#total }
  }
}
