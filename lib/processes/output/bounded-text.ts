// The first and the last part of a text that comes piece by piece and may be of any length.

/** A cut is moved to the end of a line that is no further away, in characters. */
const lineReach = 512

export interface Bounded {
  /** The whole text, or its first and last part around `[output truncated: first H and last T of N characters]`. */
  text: string
  truncated: boolean
  /** Characters of the two parts that stand around the notice. Undefined: the text is whole. */
  cut?: Cut
}

export interface Cut {
  first: number
  last: number
}

/** Keeps no more than a few times `maxChars`, however much is added. Characters are UTF-16 code units. */
export class BoundedText {
  readonly #headLength: number
  readonly #tailLength: number
  readonly #wholeLines: boolean
  #head = ''
  #tail = ''
  #total = 0
  /** Whether everything goes to the tail from now on. */
  #headEnded = false

  /** @param wholeLines whether a cut is moved to the end of a line that is near */
  constructor(maxChars: number, { wholeLines = false } = {}) {
    this.#wholeLines = wholeLines
    this.#headLength = Math.ceil(maxChars / 2)
    this.#tailLength = maxChars - this.#headLength
  }

  add(text: string): void {
    this.#total += text.length
    const room = this.#headEnded ? 0 : this.#headLength - this.#head.length
    if (room > 0) this.#head += text.slice(0, room)
    if (text.length <= room) return
    this.#headEnded = true
    this.#tail += text.slice(room)
    // Cutting at every piece would copy the tail for each line.
    if (this.#tail.length > 2 * this.#tailLength + 4096)
      this.#tail = lastCharacters(this.#tail, this.#tailLength)
  }

  /** Leaves out so many characters of the text between what was added and what will be. */
  skip(characters: number): void {
    this.#total += characters
    this.#headEnded = true
    // The last part is one piece: what stood before the gap is not shown as if it stood right before what follows.
    this.#tail = ''
  }

  /** What was kept. */
  result(): Bounded {
    const tail = lastCharacters(this.#tail, this.#tailLength)
    if (this.#head.length + tail.length === this.#total) {
      return { text: this.#head + tail, truncated: false }
    }
    const ends = [withoutCutEnd(this.#head), withoutCutStart(tail)] as const
    const [first, last] = this.#wholeLines ? [toLineEnd(ends[0]), fromLine(ends[1])] : ends
    const notice = `[output truncated: first ${first.length} and last ${last.length} of ${this.#total} characters]`
    const cut = { first: first.length, last: last.length }
    return { text: `${first}\n\n${notice}\n\n${last}`, truncated: true, cut }
  }
}

function lastCharacters(text: string, length: number): string {
  return text.length > length ? text.slice(text.length - length) : text
}

// Both parts are of whole lines, where a line ends near the cut.

function toLineEnd(text: string): string {
  const end = text.lastIndexOf('\n') + 1
  return end === 0 || text.length - end > reachIn(text) ? text : text.slice(0, end)
}

function fromLine(text: string): string {
  const start = text.indexOf('\n') + 1
  return start > reachIn(text) ? text : text.slice(start)
}

const reachIn = ({ length }: string): number => Math.min(lineReach, length / 8)

// Neither part ends with half of a surrogate pair.

function withoutCutEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}

function withoutCutStart(text: string): string {
  const first = text.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text
}
