// What a program sends to a terminal, taken apart: text, controls, escape sequences (ECMA-48).

/** Each is told where it begins, in characters of the stream. */
export interface SequenceHandler {
  /** Characters `from` to `to` of `piece` are text without a control character. */
  print(piece: string, from: number, to: number): void
  /** C0 or DEL. One inside a sequence takes effect before it, as on a terminal. */
  control(character: string): void
  /** @param sequence what follows ESC, as `c` or `(B` */
  escape(sequence: string, start: number): void
  /** @param parameters with a private prefix and intermediates, as `?1049` or `1 ` */
  csi(parameters: string, final: string, start: number): void
}

/** Longer ones are taken for none: they are dropped up to their end. */
const maxParameters = 256
const maxEscape = 4

const escapeCode = 0x1b
const openBracket = 0x5b

type State = 'text' | 'escape' | 'csi' | 'longCsi' | 'string' | 'stringEscape'

/**
 * Its state survives the end of a piece, so what is told does not depend on how the stream is split, but that text may come
 * in more pieces. The strings OSC, DCS, APC, PM and SOS are dropped, however long; no memory is taken by them. As on a
 * terminal, one without an end lasts until the next escape sequence.
 */
export class SequenceParser {
  readonly #handler: SequenceHandler
  readonly #controls: RegExp
  readonly #hasC1: boolean
  #state: State = 'text'
  #collected = ''
  /** Of the sequence under way. */
  #start = 0
  /** BEL ends an OSC, and no other string. */
  #endsAtBell = false
  /** Characters of the pieces before. */
  #before = 0

  /**
   * @param characters what a character of the stream is: of decoded text, where U+0080 to U+009F are controls, or a byte in
   *   latin1, where the same are parts of characters
   */
  constructor(handler: SequenceHandler, characters: 'text' | 'bytes') {
    this.#handler = handler
    this.#hasC1 = characters === 'text'
    this.#controls = this.#hasC1 ? /[\x00-\x1f\x7f-\x9f]/g : /[\x00-\x1f\x7f]/g
  }

  /** Whether no sequence is under way. */
  get isInText(): boolean {
    return this.#state === 'text'
  }

  write(piece: string): void {
    for (let at = 0; at < piece.length; ) at = this.next(piece, at)
    this.end(piece)
  }

  /**
   * Takes one thing: text up to a control, a control, or a part of a sequence.
   *
   * @param at within the piece
   * @returns where the next thing is
   */
  next(piece: string, at: number): number {
    if (this.#state !== 'text') {
      this.#continue(piece.charAt(at), this.#before + at)
      return at + 1
    }
    const code = piece.charCodeAt(at)
    if (code === escapeCode) return this.#fromEscape(piece, at)
    const controls = this.#controls
    controls.lastIndex = at
    const next = controls.test(piece) ? controls.lastIndex - 1 : piece.length
    if (next > at) {
      this.#handler.print(piece, at, next)
      return next
    }
    if (code >= 0x80) this.#c1(code, this.#before + at)
    else this.#handler.control(piece.charAt(at))
    return at + 1
  }

  /** The next piece follows. */
  end(piece: string): void {
    this.#before += piece.length
  }

  /** Characters are missing before the next piece. */
  skip(characters: number): void {
    this.#before += characters
    this.#state = 'text'
  }

  #fromEscape(piece: string, at: number): number {
    const start = this.#before + at
    if (piece.charCodeAt(at + 1) === openBracket) {
      // Nearly all of them are whole.
      const last = Math.min(piece.length, at + 2 + maxParameters)
      let end = at + 2
      while (end < last && isParameter(piece.charCodeAt(end))) end++
      if (end < last && isFinal(piece.charCodeAt(end))) {
        this.#handler.csi(piece.slice(at + 2, end), piece.charAt(end), start)
        return end + 1
      }
    }
    this.#begin('escape', start)
    return at + 1
  }

  #begin(state: State, start: number): void {
    this.#state = state
    this.#collected = ''
    this.#start = start
  }

  /** Two bytes, ESC and another one, are what each of these stands for. */
  #c1(code: number, start: number): void {
    this.#begin('escape', start)
    this.#afterEscape(String.fromCharCode(code - 0x40))
  }

  #continue(character: string, at: number): void {
    const inString = this.#state === 'string' || this.#state === 'stringEscape'
    if (character === '\x18' || character === '\x1a') this.#state = 'text'
    else if (inString) this.#inString(character, at)
    else if (character === '\x1b') this.#begin('escape', at)
    else if (character < ' ' || character === '\x7f') this.#handler.control(character)
    else if (character >= '\x80') this.#interrupt(character, at)
    else if (this.#state === 'escape') this.#afterEscape(character)
    else this.#inCsi(character)
  }

  /** Nothing but ASCII is part of a sequence: what is not ends it. */
  #interrupt(character: string, at: number): void {
    this.#state = 'text'
    if (this.#hasC1 && character <= '\x9f') this.#c1(character.charCodeAt(0), at)
    else this.#handler.print(character, 0, 1)
  }

  #inString(character: string, at: number): void {
    if (this.#state === 'stringEscape') {
      // Any other escape cancels the string, and begins a sequence of its own.
      this.#begin('escape', this.#start)
      if (character === '\\') this.#state = 'text'
      else this.#continue(character, at)
    } else if (character === '\x1b') this.#begin('stringEscape', at)
    else if (character === '\x07' && this.#endsAtBell) this.#state = 'text'
    else if (character >= '\x80' && character <= '\x9f' && this.#hasC1) this.#interrupt(character, at)
  }

  #afterEscape(character: string): void {
    const isFirst = this.#collected === ''
    if (isFirst && character === '[') this.#begin('csi', this.#start)
    else if (isFirst && ']PX^_'.includes(character)) {
      this.#state = 'string'
      this.#endsAtBell = character === ']'
    } else if (character <= '/') {
      if (this.#collected.length < maxEscape) this.#collected += character
    } else {
      this.#state = 'text'
      // The end of a string, which has none.
      if (isFirst && character === '\\') return
      this.#handler.escape(this.#collected + character, this.#start)
    }
  }

  #inCsi(character: string): void {
    if (character < '@') {
      if (this.#collected.length < maxParameters) this.#collected += character
      else this.#state = 'longCsi'
      return
    }
    const isLong = this.#state === 'longCsi'
    this.#state = 'text'
    if (!isLong) this.#handler.csi(this.#collected, character, this.#start)
  }
}

const isParameter = (code: number): boolean => code >= 0x20 && code <= 0x3f

export const isFinal = (code: number): boolean => code >= 0x40 && code <= 0x7e
