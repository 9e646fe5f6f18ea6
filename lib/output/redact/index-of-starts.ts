// Which of many texts begins here: a filter over pieces of eight bytes, and the texts that pass it.

/** All but the last few bytes of what is looked for. */
export const pieceLength = 8

/** Bits for each text, so that few others pass. */
const bitsEach = 32
const leastBits = 1 << 12
const mostBits = 1 << 24

export class StartIndex {
  readonly #texts: readonly Buffer[]
  /** First text of each bucket and the next of each text, or -1. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #shift: number
  /** Of beginnings shorter than a piece, by their length. */
  readonly #short: readonly Uint8Array[]
  readonly #mask: number
  readonly longest: number

  /** @param texts of {@link pieceLength} bytes or more */
  constructor(texts: readonly Buffer[]) {
    this.#texts = texts
    const bits = Math.min(
      Math.max(2 ** Math.ceil(Math.log2(texts.length * bitsEach + 1)), leastBits),
      mostBits,
    )
    this.#mask = bits - 1
    this.#shift = 32 - Math.log2(bits / 8)
    this.#first = new Int32Array(bits / 8).fill(-1)
    this.#next = new Int32Array(texts.length)
    this.#short = Array.from({ length: pieceLength }, () => new Uint8Array(bits / 8))
    let longest = 0
    for (const [index, text] of texts.entries()) {
      const bucket = this.#bucket(text, 0)
      this.#next[index] = this.#first[bucket] as number
      this.#first[bucket] = index
      longest = Math.max(longest, text.length)
      for (let length = 1, hash = 0; length < pieceLength; length++) {
        hash = extend(hash, text[length - 1] as number) & this.#mask
        const set = this.#short[length] as Uint8Array
        set[hash >>> 3] = (set[hash >>> 3] as number) | (1 << (hash & 7))
      }
    }
    this.longest = longest
  }

  /** The longest text that stands at a place of the bytes; -1 for none. Pieces reach up to the end of the bytes. */
  textAt(bytes: Buffer, at: number): number {
    let found = -1
    let length = 0
    for (let index = this.#first[this.#bucket(bytes, at)] as number; index >= 0; ) {
      const text = this.#texts[index] as Buffer
      if (text.length > length && isAt(bytes, at, text, text.length)) {
        found = index
        length = text.length
      }
      index = this.#next[index] as number
    }
    return found
  }

  /** Where the longest beginning of a text starts that the end of the bytes cuts; their length where there is none. */
  unfinishedStart(bytes: Buffer): number {
    const { length } = bytes
    for (let at = Math.max(0, length - this.longest + 1); at <= length - pieceLength; at++) {
      for (let index = this.#first[this.#bucket(bytes, at)] as number; index >= 0; ) {
        const text = this.#texts[index] as Buffer
        if (text.length > length - at && isAt(bytes, at, text, length - at)) return at
        index = this.#next[index] as number
      }
    }
    for (let at = Math.max(0, length - pieceLength + 1); at < length; at++) {
      if (this.#mayBegin(bytes, at)) return at
    }
    return length
  }

  #mayBegin(bytes: Buffer, from: number): boolean {
    let hash = 0
    for (let at = from; at < bytes.length; at++) hash = extend(hash, bytes[at] as number) & this.#mask
    const set = this.#short[bytes.length - from] as Uint8Array
    return ((set[hash >>> 3] as number) & (1 << (hash & 7))) !== 0
  }

  #bucket(bytes: Buffer, at: number): number {
    const low = bytes.readUInt32LE(at)
    const high = bytes.readUInt32LE(at + 4)
    return (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> this.#shift
  }
}

const extend = (hash: number, byte: number): number => Math.imul(hash, 0x01000193) ^ (byte * 0x9e3779b1)

function isAt(bytes: Buffer, at: number, text: Buffer, length: number): boolean {
  if (at + length > bytes.length) return false
  // Most of what passes the filter is the text.
  return bytes.compare(text, 0, length, at, at + length) === 0
}
