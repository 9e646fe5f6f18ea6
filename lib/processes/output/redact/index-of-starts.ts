// Which of many texts begins at the end of some bytes: a filter over pieces of eight bytes, and the texts that pass it.

import { pieceHash, pieceLength } from './pieces.js'

/** Bits for each text, so that few others pass. */
const bitsEach = 32
const leastBits = 1 << 12
const mostBits = 1 << 24

/** A text whose beginning is cut off by the end of the bytes. */
export interface Begun {
  start: number
  /** Of the text. */
  index: number
}

/** Texts that begin alike. */
interface Bucket {
  /** Indexes of the texts, in the order of their bytes. */
  order: number[]
  longest: number
}

export class StartIndex {
  readonly #texts: readonly Buffer[]
  /** First text of each bucket and the next of each text, or -1. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #sorted = new Map<number, Bucket>()
  /** By their first byte, in the order of their bytes: made when a short beginning has passed the filter. */
  readonly #byFirst = new Map<number, readonly number[]>()
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
      const bucket = pieceHash(text, 0) >>> this.#shift
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

  /** Where the longest beginning of a text starts that the end of the bytes cuts; their length where there is none. */
  unfinishedStart(bytes: Buffer): number {
    const begun = this.#longBegun(bytes)
    if (begun !== undefined) return begun.start
    for (let at = firstShort(bytes); at < bytes.length; at++) if (this.#shortBegun(bytes, at) >= 0) return at
    return bytes.length
  }

  /** The longest of them, if it has a number of bytes. */
  begunAtEnd(bytes: Buffer, leastBytes: number): Begun | undefined {
    const begun = this.#longBegun(bytes)
    if (begun !== undefined) return begun
    for (let start = firstShort(bytes); start <= bytes.length - leastBytes; start++) {
      const index = this.#shortBegun(bytes, start)
      if (index >= 0) return { start, index }
    }
    return undefined
  }

  /** Of a piece or more. */
  #longBegun(bytes: Buffer): Begun | undefined {
    const { length } = bytes
    for (let start = Math.max(0, length - this.longest + 1); start <= length - pieceLength; start++) {
      const bucket = pieceHash(bytes, start) >>> this.#shift
      if ((this.#first[bucket] as number) < 0) continue
      const { order, longest } = this.#bucket(bucket)
      const index = longest <= length - start ? -1 : this.#goingOn(bytes, start, order)
      if (index >= 0) return { start, index }
    }
    return undefined
  }

  /** Of less than a piece: a text, or -1. */
  #shortBegun(bytes: Buffer, start: number): number {
    if (!this.#mayBegin(bytes, start)) return -1
    const first = bytes[start] as number
    let order = this.#byFirst.get(first)
    if (order === undefined) {
      const alike = [...this.#texts.keys()].filter((index) => this.#texts[index]?.[0] === first)
      order = this.#inOrder(alike)
      this.#byFirst.set(first, order)
    }
    return this.#goingOn(bytes, start, order)
  }

  /**
   * A text that begins with all bytes from `start` on, and has more; -1 for none.
   *
   * @param order of the texts that come into question
   */
  #goingOn(bytes: Buffer, start: number, order: readonly number[]): number {
    // Those that begin with the bytes are the next ones behind them.
    let low = 0
    for (let high = order.length; low < high; ) {
      const middle = (low + high) >>> 1
      const text = this.#texts[order[middle] as number] as Buffer
      if (bytes.compare(text, 0, text.length, start) >= 0) low = middle + 1
      else high = middle
    }
    const index = order[low]
    return index !== undefined && goesOn(this.#texts[index] as Buffer, bytes, start) ? index : -1
  }

  #bucket(place: number): Bucket {
    const known = this.#sorted.get(place)
    if (known !== undefined) return known
    const order: number[] = []
    let longest = 0
    for (let index = this.#first[place] as number; index >= 0; index = this.#next[index] as number) {
      order.push(index)
      longest = Math.max(longest, (this.#texts[index] as Buffer).length)
    }
    const bucket = { order: this.#inOrder(order), longest }
    this.#sorted.set(place, bucket)
    return bucket
  }

  #inOrder(indexes: number[]): number[] {
    return indexes.sort((a, b) => (this.#texts[a] as Buffer).compare(this.#texts[b] as Buffer))
  }

  /** What passes has the hash of a beginning, and may be none. */
  #mayBegin(bytes: Buffer, from: number): boolean {
    let hash = 0
    for (let at = from; at < bytes.length; at++) hash = extend(hash, bytes[at] as number) & this.#mask
    const set = this.#short[bytes.length - from] as Uint8Array
    return ((set[hash >>> 3] as number) & (1 << (hash & 7))) !== 0
  }
}

const firstShort = ({ length }: Buffer): number => Math.max(0, length - pieceLength + 1)

const extend = (hash: number, byte: number): number => Math.imul(hash, 0x01000193) ^ (byte * 0x9e3779b1)

function goesOn(text: Buffer, bytes: Buffer, start: number): boolean {
  const length = bytes.length - start
  return length < text.length && bytes.compare(text, 0, length, start) === 0
}
