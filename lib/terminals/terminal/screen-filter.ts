// What of a program's bytes reaches the terminal emulator: nothing that would take it long, or much memory. 14 bytes
// (`CSI 2147483647 b`) would otherwise hold it up for a minute and take 8 GB.

import { shownWidth } from './cell-width.js'
import { isFinal, type SequenceHandler, SequenceParser } from './sequence-parser.js'

/** Code points in a cell, at most. */
export const maxCellLength = 8

/** More than any parameter that means something: colours, modes, sizes of up to 200 x 500. */
const maxParameter = '9999'

/** What repeats, by its final character: not more often than there are rows, or columns. */
const repeatsRows = 'STLM'
const repeatsColumns = 'IZ@PXb'
const repeats: ReadonlySet<number> = new Set(Buffer.from(repeatsRows + repeatsColumns))

/** The controls that move the cursor or choose a character set. */
const shownControls = '\b\t\n\v\f\r\x0e\x0f'

/**
 * Takes bytes and gives text for the emulator, split anyhow. Invalid UTF-8 is U+FFFD. Parameters are clamped, strings (OSC,
 * DCS, APC, PM, SOS) left out, since a screen shows none of them; so are controls without an effect on it, characters that
 * only steer how others are laid out, and what would be more than {@link maxCellLength} code points in a cell. A combining
 * character that follows no other character, but a control or a sequence, is left out, too: it would be added to a cell
 * that has its number already.
 */
export class ScreenFilter implements SequenceHandler {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #parser = new SequenceParser(this, 'text')
  #rows = 1
  #columns = 1
  #out = ''
  /** Code points of the cell that was printed last; 0: none was. */
  #cellLength = 0

  constructor(rows: number, columns: number) {
    this.resize(rows, columns)
  }

  resize(rows: number, columns: number): void {
    this.#rows = rows
    this.#columns = columns
  }

  write(bytes: Uint8Array): string {
    const piece = this.#decoder.decode(bytes, { stream: true })
    for (let at = 0; at < piece.length; ) {
      // Nearly all of it passes as it is.
      const end = this.#parser.isInText ? harmlessEnd(piece, at) : at
      if (end === at) at = this.#parser.next(piece, at)
      else {
        this.#out += piece.slice(at, end)
        this.#cellLength = endsInText(piece, end) ? 1 : 0
        at = end
      }
    }
    this.#parser.end(piece)
    const out = this.#out
    this.#out = ''
    return out
  }

  print(piece: string, from: number, to: number): void {
    for (const character of piece.slice(from, to)) {
      const width = shownWidth(character.codePointAt(0) as number)
      if (width === undefined) continue
      if (width > 0) this.#cellLength = 1
      else if (this.#cellLength === 0 || this.#cellLength === maxCellLength) continue
      else this.#cellLength += 1
      this.#out += character
    }
  }

  control(character: string): void {
    if (!shownControls.includes(character)) return
    this.#cellLength = 0
    this.#out += character
  }

  escape(sequence: string): void {
    this.#cellLength = 0
    this.#out += `\x1b${sequence}`
  }

  csi(parameters: string, final: string): void {
    this.#cellLength = 0
    const match = /^([<-?]?)([\d;:]*)([ -/]*)$/.exec(parameters)
    if (match === null) return
    const [, prefix = '', numbers = '', intermediates = ''] = match
    this.#out += `\x1b[${prefix}${this.#clamp(numbers, final, intermediates)}${intermediates}${final}`
  }

  #clamp(numbers: string, final: string, intermediates: string): string {
    // With intermediates it is columns that are scrolled, inserted and deleted.
    const most = repeatsRows.includes(final)
      ? this.#rows
      : intermediates !== '' || repeatsColumns.includes(final)
        ? this.#columns
        : undefined
    return numbers.replace(/\d+/g, (digits) => {
      const value = digits.replace(/^0+(?=\d)/, '')
      const short = value.length > maxParameter.length ? maxParameter : value
      return most === undefined ? short : String(Math.min(Number(short), most))
    })
  }
}

const escapeCode = 0x1b
const maxDigits = 3

/** Where in the piece something comes that may not pass as it is. */
function harmlessEnd(piece: string, from: number): number {
  let at = from
  while (at < piece.length) {
    const code = piece.charCodeAt(at)
    const end = code === escapeCode ? harmlessSequenceEnd(piece, at) : isHarmless(code) ? at + 1 : at
    if (end === at) break
    at = end
  }
  return at
}

function isHarmless(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 || (code >= 0x08 && code <= 0x0d)
  if (code < 0x300) return code >= 0xa0
  // Half of a surrogate pair tells nothing.
  return (code < 0xd800 || code > 0xdfff) && (shownWidth(code) ?? 0) > 0
}

/** Of a CSI sequence with small parameters that repeats nothing. */
function harmlessSequenceEnd(piece: string, start: number): number {
  if (piece.charCodeAt(start + 1) !== 0x5b) return start
  let digits = 0
  let at = start + 2
  // A private prefix.
  if (piece.charCodeAt(at) >= 0x3c && piece.charCodeAt(at) <= 0x3f) at += 1
  for (; at - start < 64; at++) {
    const code = piece.charCodeAt(at)
    if (code >= 0x3c || Number.isNaN(code)) return isFinal(code) && !repeats.has(code) ? at + 1 : start
    if (code < 0x30) return start
    digits = code >= 0x3a ? 0 : digits + 1
    if (digits > maxDigits) return start
  }
  return start
}

/** Of what is harmless: whether a combining character may follow. */
function endsInText(piece: string, end: number): boolean {
  const last = piece.charCodeAt(end - 1)
  if (last < 0x20) return false
  // A final character is one of a sequence if there is nothing but its parameters before it.
  return !(isFinal(last) && /\x1b\[[0-?]*[@-~]$/.test(piece.slice(Math.max(0, end - 66), end)))
}
