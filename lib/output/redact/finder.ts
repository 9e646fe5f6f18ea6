// Many texts looked for at once, without a look at each byte (Wu and Manber, 1994): a table tells of three bytes how far
// the next place is at which a text can begin.

import type { Needle } from './forms.js'
import { pieceLength, StartIndex } from './index-of-starts.js'

/** Bytes `start` up to `end`, for which `name` is to stand. */
export interface Found {
  start: number
  end: number
  name: string
}

/** At the edge of a gap fewer bytes of a text are no piece of it. */
export const leastPiece = 4

const blockLength = 3
const mostShift = pieceLength - blockLength + 1
/** Places in the table for each text. */
const placesEach = 32
const leastPlaces = 1 << 12
const mostPlaces = 1 << 21

export class Finder {
  readonly #needles: readonly Needle[]
  readonly #starts: StartIndex
  readonly #shifts: Uint8Array
  readonly #shiftOfHash: number
  #backwards: Finder | undefined

  /** @param needles of eight bytes or more */
  constructor(needles: readonly Needle[]) {
    this.#needles = needles
    this.#starts = new StartIndex(needles.map(({ bytes }) => bytes))
    const places = 2 ** Math.ceil(Math.log2(needles.length * placesEach + 1))
    const size = Math.min(Math.max(places, leastPlaces), mostPlaces)
    this.#shiftOfHash = 32 - Math.log2(size)
    this.#shifts = new Uint8Array(size).fill(mostShift)
    for (const { bytes } of needles) {
      for (let at = 0; at < mostShift; at++) {
        const place = this.#placeOf(bytes, at)
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
    return found
  }

  #look(bytes: Buffer, at: number, found: Found[]): void {
    const index = this.#starts.textAt(bytes, at)
    const needle = this.#needles[index]
    if (needle === undefined) return
    const { name } = needle
    const end = at + needle.bytes.length
    const last = found.at(-1)
    if (last === undefined || at >= last.end) found.push({ start: at, end, name })
    else last.end = Math.max(last.end, end)
  }

  /** Where the longest beginning of a text starts that the end of the bytes cuts; their length where there is none. */
  unfinishedStart(bytes: Buffer): number {
    return this.#starts.unfinishedStart(bytes)
  }

  /** What a gap behind the bytes has left of a text: its beginning. */
  pieceBeforeGap(bytes: Buffer): Found | undefined {
    for (let start = 0; ; start++) {
      start += this.unfinishedStart(bytes.subarray(start))
      const length = bytes.length - start
      if (length < leastPiece) return undefined
      const needle = this.#needles.find(
        ({ bytes: whole }) => length < whole.length && bytes.compare(whole, 0, length, start) === 0,
      )
      if (needle !== undefined) return { start, end: bytes.length, name: needle.name }
    }
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
}

const hashOf = (first: number, second: number, third: number): number =>
  Math.imul(first | (second << 8) | (third << 16), 0x9e3779b1)

const reversed = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse()
