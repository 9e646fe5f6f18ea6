// Bytes become text for live events: piece by piece, with gaps where the live view skipped output.

import { decodeBytes } from './decode.js'
import { completeLength, orphanLength } from './utf8.js'

const empty = Buffer.alloc(0)

/**
 * Decodes a stream that arrives in pieces. Characters split over two pieces are joined; a character cut by a gap is
 * left out, so that no U+FFFD stands for something that the command printed correctly. Invalid bytes and NULs are shown
 * as `decodeBytes` shows them.
 */
export class TextStream {
  /** The beginning of a character whose rest is still to come. */
  #pending: Buffer = empty
  /** How many bytes from here on may still be the end of a character that a gap has cut. */
  #orphans = 0
  #cutBytes = 0

  /** Bytes that the last {@link write} has left out: of characters that a gap has cut. */
  get cutBytes(): number {
    return this.#cutBytes
  }

  /**
   * @param chunk the next bytes; not kept, so that the caller may reuse the memory
   * @param droppedBefore bytes of the stream missing between the previous chunk and this one
   * @returns the text that is complete now, possibly empty
   */
  write(chunk: Uint8Array, droppedBefore: number): string {
    this.#cutBytes = 0
    if (droppedBefore > 0) {
      this.#cutBytes = this.#pending.length
      this.#pending = empty
      this.#orphans = 3
    }
    let bytes: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (this.#orphans > 0) {
      const skipped = orphanLength(bytes, this.#orphans)
      this.#cutBytes += skipped
      this.#orphans = skipped === bytes.length ? this.#orphans - skipped : 0
      bytes = bytes.subarray(skipped)
    }
    if (this.#pending.length > 0) bytes = Buffer.concat([this.#pending, bytes])
    const complete = completeLength(bytes)
    this.#pending = complete === bytes.length ? empty : Buffer.from(bytes.subarray(complete))
    return decodeBytes(bytes.subarray(0, complete)).text
  }

  /** Ends the stream. A character that the command itself left incomplete becomes U+FFFD. */
  end(): string {
    const { text } = decodeBytes(this.#pending)
    this.#pending = empty
    return text
  }
}
