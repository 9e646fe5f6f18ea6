// What is known of a terminal from its bytes without drawing them: whether a screen is needed, which modes the program has
// set, and from where on its screen could be drawn anew.

import { maxReplayBytes } from './limits.js'
import { type SequenceHandler, SequenceParser } from './sequence-parser.js'

/** A part of the output that a screen can be drawn from. */
export interface ReplayStart {
  /** Of its first byte. */
  offset: number
  /** Whether a program was in the alternate screen there. */
  alternate: boolean
  /** Whether something is missing before it that the screen may depend on. */
  incomplete: boolean
}

/** As much is drawn again at least: modes and colours may have been set before the screen was last cleared. */
const leastReplayBytes = 256 * 1024

/** Bytes are looked at in pieces, each of which becomes a string. */
const pieceBytes = 64 * 1024

/** Switches between the two screens that are remembered, the latest. */
const maxSwitches = 256

/** By their final character: what moves the cursor to other rows, or moves rows. None has a private prefix. */
const vertical: ReadonlySet<string> = new Set('ABEFHLMSTdefru')

/** ESC and: index, next line, reverse index, restore the cursor, reset, alignment test. */
const verticalEscapes: ReadonlySet<string> = new Set(['D', 'E', 'M', '8', 'c', '#8'])

const alternateModes = ['47', '1047', '1049']

/**
 * Output of programs that print lines is shown by `OutputRenderer`; a screen is needed where one uses the alternate screen, or
 * moves the cursor vertically. Costs a fraction of drawing.
 */
export class TerminalTracker implements SequenceHandler {
  readonly #parser = new SequenceParser(this, 'bytes')
  #offset = 0
  /** Where the latest of what only a screen can show began. */
  #lastVertical = -1
  #switches: { offset: number; alternate: boolean }[] = []
  /** Of the latest that left nothing of the screen that was shown then. */
  #cleared = { main: -1, alternate: -1 }
  #modes = { alternate: false, applicationCursor: false, bracketedPaste: false }

  /** Bytes that have been looked at, or skipped. */
  get offset(): number {
    return this.#offset
  }

  /** Whether the alternate screen is on. */
  get alternate(): boolean {
    return this.#modes.alternate
  }

  /** Whether arrow keys are to be sent as DECCKM has them. */
  get applicationCursor(): boolean {
    return this.#modes.applicationCursor
  }

  /** Whether the program has asked for marks around pasted text. */
  get bracketedPaste(): boolean {
    return this.#modes.bracketedPaste
  }

  write(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < buffer.length; at += pieceBytes) {
      const piece = buffer.toString('latin1', at, at + pieceBytes)
      this.#parser.write(piece)
      this.#offset += piece.length
    }
  }

  /** So many bytes of the output are missing: a log that is full loses its middle. */
  skip(bytes: number): void {
    this.#parser.skip(bytes)
    this.#offset += bytes
  }

  /** Whether what was printed from `offset` on has to be shown as a screen. */
  needsScreenSince(offset: number): boolean {
    return this.alternate || this.#lastVertical >= offset
  }

  /**
   * From where on the screen of now is to be drawn: what last cleared it, or 256 KiB back if that is earlier, and not more than
   * 4 MiB back.
   *
   * @param availableFrom the output is there from this offset on. Default 0
   */
  replayStart(availableFrom = 0): ReplayStart {
    const cleared = this.alternate ? this.#cleared.alternate : this.#cleared.main
    const recent = Math.max(0, this.#offset - leastReplayBytes)
    const wanted = cleared === -1 ? recent : Math.min(cleared, recent)
    const offset = Math.max(wanted, availableFrom, this.#offset - maxReplayBytes)
    return {
      offset,
      alternate: this.#wasAlternate(offset),
      incomplete: offset > 0 && (cleared === -1 || offset > cleared),
    }
  }

  print(): void {}

  control(): void {}

  escape(sequence: string, start: number): void {
    if (!verticalEscapes.has(sequence)) return
    this.#lastVertical = start
    if (sequence === 'c') this.#reset(start)
  }

  csi(parameters: string, final: string, start: number): void {
    // Colours are most of what there is.
    if (final === 'm') return
    if (final === 'h' || final === 'l') this.#setModes(parameters, final === 'h', start)
    else if (final === 'J') this.#erase(parameters, start)
    else if (final === 'p' && parameters === '!') this.#modes.applicationCursor = false
    else if (vertical.has(final) && /^[\d;:]*$/.test(parameters)) this.#lastVertical = start
  }

  #setModes(parameters: string, isOn: boolean, start: number): void {
    if (!parameters.startsWith('?')) return
    for (const mode of parameters.slice(1).split(';')) {
      if (mode === '1') this.#modes.applicationCursor = isOn
      else if (mode === '2004') this.#modes.bracketedPaste = isOn
      else if (alternateModes.includes(mode)) this.#switch(isOn, start)
    }
  }

  #switch(alternate: boolean, start: number): void {
    this.#lastVertical = start
    // The alternate screen is empty when it is switched to, the other one as it was left.
    if (alternate && !this.#modes.alternate) this.#cleared.alternate = start
    if (alternate === this.#modes.alternate) return
    this.#modes.alternate = alternate
    this.#switches.push({ offset: start, alternate })
    if (this.#switches.length > maxSwitches) this.#switches.shift()
  }

  /** Below the cursor (0) is nothing for a program that prints lines. */
  #erase(parameters: string, start: number): void {
    if (!/^\??0*[123]$/.test(parameters)) return
    this.#lastVertical = start
    if (parameters.endsWith('2')) this.#cleared[this.#modes.alternate ? 'alternate' : 'main'] = start
  }

  #reset(start: number): void {
    this.#switch(false, start)
    this.#modes = { alternate: false, applicationCursor: false, bracketedPaste: false }
    this.#cleared.main = start
  }

  #wasAlternate(offset: number): boolean {
    return this.#switches.findLast((each) => each.offset < offset)?.alternate ?? false
  }
}
