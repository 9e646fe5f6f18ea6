// Many texts looked for at once, without a look at each byte (Wu and Manber, 1994): a table tells of three bytes how far
// the next place is at which a text can begin.

import type { Needle } from './forms.js'
import { type Found, merged } from './found.js'
import { StartIndex } from './index-of-starts.js'
import { anchorsOf, pieceHash, pieceLength } from './pieces.js'

/** At the edge of a gap fewer bytes of a text are no piece of it. */
export const leastPiece = 4
/** How long a beginning of fewer bytes than any text has waits for what follows, milliseconds. */
export const shortWaitMs = 1_000

const blockLength = 3
const mostShift = pieceLength - blockLength + 1
/** Places in the table for each text. */
const placesEach = 32
const leastPlaces = 1 << 12
const mostPlaces = 1 << 21
/** Places for which there is one list of texts, as a power of two. */
const chainBits = 3

export class Finder {
  readonly #needles: readonly Needle[]
  readonly #starts: StartIndex
  /** Where in each text the piece begins by which it is looked for. */
  readonly #anchors: Uint16Array
  /** Texts by that piece: the first one of each place and the next of each text, or -1. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  readonly #shifts: Uint8Array
  readonly #shiftOfHash: number
  #backwards: Finder | undefined

  /** @param needles of eight bytes or more */
  constructor(needles: readonly Needle[]) {
    this.#needles = needles
    const texts = needles.map(({ bytes }) => bytes)
    this.#starts = new StartIndex(texts)
    this.#anchors = anchorsOf(texts)
    const places = 2 ** Math.ceil(Math.log2(needles.length * placesEach + 1))
    const size = Math.min(Math.max(places, leastPlaces), mostPlaces)
    this.#shiftOfHash = 32 - Math.log2(size)
    this.#shifts = new Uint8Array(size).fill(mostShift)
    this.#first = new Int32Array(size >>> chainBits).fill(-1)
    this.#next = new Int32Array(needles.length)
    for (const [index, bytes] of texts.entries()) {
      const anchor = this.#anchors[index] as number
      const chain = this.#chainOf(bytes, anchor)
      this.#next[index] = this.#first[chain] as number
      this.#first[chain] = index
      for (let at = 0; at < mostShift; at++) {
        const place = this.#placeOf(bytes, anchor + at)
        const shift = mostShift - 1 - at
        if (shift < (this.#shifts[place] as number)) this.#shifts[place] = shift
      }
    }
  }

  /** Bytes of the longest text. */
  get longest(): number {
    return this.#starts.longest
  }

  /** Every place of every text, from left to right; those that overlap are one, by the name of the first. */
  find(bytes: Buffer): Found[] {
    const found: Found[] = []
    const shifts = this.#shifts
    const shiftOfHash = this.#shiftOfHash
    const end = bytes.length - pieceLength
    for (let at = 0; at <= end; ) {
      const block = at + mostShift - 1
      const place = hashOf(bytes[block] as number, bytes[block + 1] as number, bytes[block + 2] as number)
      const shift = shifts[place >>> shiftOfHash] as number
      if (shift === 0) this.#look(bytes, at++, found)
      else at += shift
    }
    return found.length > 1 ? merged(found) : found
  }

  /** Adds the texts whose piece may be at `at`. */
  #look(bytes: Buffer, at: number, found: Found[]): void {
    const chain = this.#chainOf(bytes, at)
    for (let index = this.#first[chain] as number; index >= 0; index = this.#next[index] as number) {
      const { bytes: text, name } = this.#needles[index] as Needle
      const start = at - (this.#anchors[index] as number)
      if (isAt(bytes, start, text)) found.push({ start, end: start + text.length, name })
    }
  }

  /** Where the longest beginning of a text starts that the end of the bytes cuts; their length where there is none. */
  unfinishedStart(bytes: Buffer): number {
    return this.#starts.unfinishedStart(bytes)
  }

  /** Whether a text has the bytes anywhere in it. */
  hasPart(bytes: Buffer): boolean {
    return this.#needles.some((needle) => needle.bytes.includes(bytes))
  }

  /** What a gap behind the bytes has left of a text: its beginning. */
  pieceBeforeGap(bytes: Buffer): Found | undefined {
    const begun = this.#starts.begunAtEnd(bytes, leastPiece)
    if (begun === undefined) return undefined
    const { name } = this.#needles[begun.index] as Needle
    return { start: begun.start, end: bytes.length, name }
  }

  /** What a gap before the bytes has left of a text: its end. */
  pieceBehindGap(bytes: Buffer): Found | undefined {
    this.#backwards ??= new Finder(
      this.#needles.map(({ bytes: whole, name }) => ({ bytes: reversed(whole), name })),
    )
    const edge = reversed(bytes.subarray(0, this.longest))
    const piece = this.#backwards.pieceBeforeGap(edge)
    return piece && { start: 0, end: edge.length - piece.start, name: piece.name }
  }

  #placeOf(bytes: Buffer, at: number): number {
    const hash = hashOf(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number)
    return hash >>> this.#shiftOfHash
  }

  #chainOf(bytes: Buffer, at: number): number {
    return (pieceHash(bytes, at) >>> this.#shiftOfHash) >>> chainBits
  }
}

function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  const last = start + text.length - 1
  if (start < 0 || last >= bytes.length) return false
  // A call of compare takes longer than the rest.
  if (bytes[last] !== text[text.length - 1] || bytes[start] !== text[0]) return false
  return bytes.compare(text, 0, text.length, start, last + 1) === 0
}

const hashOf = (first: number, second: number, third: number): number =>
  Math.imul(first | (second << 8) | (third << 16), 0x9e3779b1)

const reversed = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse()
