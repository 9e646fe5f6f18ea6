// Pieces of eight bytes, by which texts are looked for.

/** All but the last few bytes of what is looked for. */
export const pieceLength = 8

/** Of the piece that begins at `at`: its upper bits are the good ones. */
export function pieceHash(bytes: Buffer, at: number): number {
  const low = bytes.readUInt32LE(at)
  const high = bytes.readUInt32LE(at + 4)
  return Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)
}

/** Of all texts together: more are counted in steps. */
const mostPieces = 1 << 22
const leastPlaces = 1 << 12
const mostPlaces = 1 << 22
const mostCounted = 0xffff

/**
 * Where the piece begins by which each text is looked for: at its beginning, unless other texts begin alike. Tokens of one
 * service do, and output is full of such beginnings; then it is the piece that the fewest of them have.
 */
export function anchorsOf(texts: readonly Buffer[]): Uint16Array {
  const anchors = new Uint16Array(texts.length)
  const beginnings = new PieceCounts(texts.length)
  for (const text of texts) beginnings.add(text, 0)
  const alike = [...texts.keys()].filter((index) => beginnings.of(texts[index] as Buffer, 0) > 1)
  if (alike.length === 0) return anchors
  const piecesEach = Math.floor(mostPieces / alike.length)
  const bytesOfAll = alike.reduce((sum, index) => sum + (texts[index] as Buffer).length, 0)
  const counts = new PieceCounts(Math.min(bytesOfAll, mostPieces))
  for (const index of alike) {
    const text = texts[index] as Buffer
    const step = stepOf(text, piecesEach)
    for (let at = 0; at <= text.length - pieceLength; at += step) counts.add(text, at)
  }
  for (const index of alike) anchors[index] = rarest(texts[index] as Buffer, counts, piecesEach)
  return anchors
}

function rarest(text: Buffer, counts: PieceCounts, piecesEach: number): number {
  const step = stepOf(text, piecesEach)
  let anchor = 0
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at <= text.length - pieceLength && least > 1; at += step) {
    const count = counts.of(text, at)
    if (count < least) {
      least = count
      anchor = at
    }
  }
  return anchor
}

/** A power of two, so that what two texts share is counted at the same places of both. */
const stepOf = ({ length }: Buffer, piecesEach: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(length / Math.max(1, piecesEach))))

/** How often which piece occurs, or one of the same hash. */
class PieceCounts {
  readonly #counts: Uint16Array
  readonly #shift: number

  constructor(pieces: number) {
    const places = Math.min(Math.max(2 ** Math.ceil(Math.log2(pieces * 2 + 1)), leastPlaces), mostPlaces)
    this.#counts = new Uint16Array(places)
    this.#shift = 32 - Math.log2(places)
  }

  add(bytes: Buffer, at: number): void {
    const place = pieceHash(bytes, at) >>> this.#shift
    const count = this.#counts[place] as number
    if (count < mostCounted) this.#counts[place] = count + 1
  }

  of(bytes: Buffer, at: number): number {
    return this.#counts[pieceHash(bytes, at) >>> this.#shift] as number
  }
}
