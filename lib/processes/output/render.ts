// Output as a person would have seen it on a terminal: escape sequences gone, progress lines in their last state.

import { rightMargin, TerminalLine } from './terminal-line.js'

/** Everything that is not printed as it stands: C0 without tab and newline, DEL, C1. */
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * The longest escape sequence that is believed, in characters. A terminal waits for the end of an OSC for ever; here a
 * stray `ESC ]` in binary output would swallow everything after it. The longest one seen in the field that is not an
 * image is a chunk of kitty's graphics protocol: 4096 characters of base64 and a header.
 */
const maxSequenceLength = 8192

/** Most of what is not printed. A shortcut: they change nothing here. */
const colours = /(?:\x1b\[[\d;]{0,64}m)+/y

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape'

/**
 * Renders output as a terminal would, one line at a time. The result does not depend on how the input is split.
 *
 * - Escape sequences are removed (ECMA-48): CSI, also as U+009B; the strings OSC, DCS, APC, PM and SOS, up to BEL, ST
 *   or U+009C; and the short ones such as `ESC ( B` and `ESC 7`.
 * - `\r`, `\b` and the CSI sequences that move the cursor within the line or erase in it (G, `` ` ``, C, a, D, K, and J
 *   for its part in the line) do what they do on a terminal; later text overwrites.
 * - Movements to other lines end the line, unless nothing stands in it: what follows is in the next one, in the column of
 *   the cursor. Lines that were completed stay; nothing goes back to them.
 * - A string that is longer than 8192 characters or reaches a newline is not one: its content is text. A character that
 *   cannot be part of a CSI sequence ends it and stays. A sequence that the end of the output leaves incomplete is
 *   removed.
 * - Every other control character is removed: BEL, NUL, DEL, … Tabs and newlines stay, CRLF becomes LF.
 */
export class OutputRenderer {
  readonly #line = new TerminalLine()
  #state: State = 'text'
  /** What has come of the current CSI sequence or string after its introducer. */
  #sequence = ''
  /** The first half of a surrogate pair whose second half is still to come. */
  #half = ''

  /** @returns the lines that are complete now, each with its newline; empty when there are none */
  write(text: string): string {
    const all = this.#half + text
    const last = all.charCodeAt(all.length - 1)
    const end = last >= 0xd800 && last <= 0xdbff ? all.length - 1 : all.length
    this.#half = all.slice(end)
    return this.#feed(all.slice(0, end))
  }

  /** Characters, about, of the line that has not ended yet. */
  get unfinishedLength(): number {
    return this.#line.size
  }

  /** Gives the line as far as it has come, and goes on with an empty one. */
  takeUnfinished(): string {
    return this.#line.take()
  }

  /** Ends the output. @returns the last line, when it was not ended by a newline */
  end(): string {
    const lines = this.#feed(this.#half)
    this.#half = ''
    this.#state = 'text'
    this.#sequence = ''
    return lines + this.#line.take()
  }

  #feed(text: string): string {
    let lines = ''
    let at = 0
    while (at < text.length) {
      if (this.#state !== 'text') {
        // Both halves of a surrogate pair: what is no part of a sequence is printed.
        const character = String.fromCodePoint(text.codePointAt(at) as number)
        at += character.length
        lines += this.#continueSequence(character)
        continue
      }
      control.lastIndex = at
      const next = control.test(text) ? control.lastIndex - 1 : text.length
      if (next > at) lines += this.#print(text.slice(at, next))
      at = next + 1
      if (next === text.length) break
      colours.lastIndex = next
      if (colours.test(text)) at = colours.lastIndex
      else lines += this.#control(text.charAt(next))
    }
    return lines
  }

  /** Prints text whose only control characters are tabs and newlines. */
  #print(text: string): string {
    let lines = ''
    let start = 0
    if (!this.#line.isEmpty) {
      const newline = text.indexOf('\n')
      this.#line.print(newline === -1 ? text : text.slice(0, newline))
      if (newline === -1) return ''
      lines = `${this.#line.take()}\n`
      start = newline + 1
    }
    // Nothing can overwrite a line that is plain from its start to its newline.
    const end = text.lastIndexOf('\n') + 1
    if (end > start) {
      lines += text.slice(start, end)
      start = end
    }
    if (start < text.length) this.#line.print(text.slice(start))
    return lines
  }

  #control(character: string): string {
    if (character === '\r') this.#line.carriageReturn()
    else if (character === '\b') this.#line.backspace()
    else if (character === '\x1b') this.#state = 'escape'
    else if (character === '\x9b') this.#begin('csi')
    else if ('\v\f\x84'.includes(character)) return this.#leaveLine()
    else if (character === '\x85') return this.#leaveLine(0)
    return ''
  }

  /** @param column in which the next line goes on; default: that of the cursor */
  #leaveLine(column?: number): string {
    if (this.#line.size === 0) {
      if (column !== undefined && !this.#line.isEmpty) this.#line.moveTo(column)
      return ''
    }
    const next = column ?? this.#line.column
    const line = this.#line.take()
    if (next > 0) this.#line.moveTo(Math.min(next, rightMargin))
    return `${line}\n`
  }

  #begin(state: State): void {
    this.#state = state
    this.#sequence = ''
  }

  /** Takes one character inside an escape sequence. @returns lines completed by it, when it turns out to be text */
  #continueSequence(character: string): string {
    switch (this.#state) {
      case 'escape':
        return this.#afterEscape(character)
      case 'intermediate':
        return this.#afterIntermediate(character)
      case 'csi':
        return this.#inControlSequence(character)
      case 'string':
        return this.#inString(character)
      default:
        return this.#inStringEscape(character)
    }
  }

  #afterEscape(character: string): string {
    if (character === '[') this.#begin('csi')
    else if (']PX^_'.includes(character)) this.#begin('string')
    else if (character >= ' ' && character <= '/') this.#state = 'intermediate'
    else if (character >= '0' && character <= '~') {
      this.#state = 'text'
      if (character === 'D') return this.#leaveLine()
      if (character === 'E') return this.#leaveLine(0)
    } else return this.#asText(character)
    return ''
  }

  #afterIntermediate(character: string): string {
    if (character >= '0' && character <= '~') this.#state = 'text'
    else if (character < ' ' || character > '/') return this.#asText(character)
    return ''
  }

  #inControlSequence(character: string): string {
    if (character >= '@' && character <= '~') {
      this.#state = 'text'
      return this.#execute(this.#sequence, character)
    }
    if (character < ' ' || character > '?') return this.#asText(character)
    this.#sequence += character
    return this.#sequence.length > maxSequenceLength ? this.#asText(this.#sequence) : ''
  }

  #inString(character: string): string {
    // CAN and SUB cancel a sequence, on every terminal.
    if ('\x07\x9c\x18\x1a'.includes(character)) this.#state = 'text'
    else if (character === '\x1b') this.#state = 'stringEscape'
    else {
      this.#sequence += character
      if (character === '\n' || this.#sequence.length > maxSequenceLength) return this.#asText(this.#sequence)
    }
    return ''
  }

  /** `ESC \` is the string terminator. Any other escape cancels the string and begins a sequence of its own. */
  #inStringEscape(character: string): string {
    if (character !== '\\') return this.#afterEscape(character)
    this.#state = 'text'
    return ''
  }

  /**
   * Leaves the sequence; what is given was no part of one. No string holds a character that begins another string, so
   * that nothing is read again more than once.
   */
  #asText(text: string): string {
    this.#state = 'text'
    return this.#feed(text)
  }

  #execute(parameters: string, final: string): string {
    // Private and intermediate characters make it another function (CSI ? K).
    if (!/^[\d;]*$/.test(parameters)) return ''
    const parameter = Number.parseInt(parameters, 10) || 0
    const count = Math.max(parameter, 1)
    if (final === 'G' || final === '`') this.#line.moveTo(count - 1)
    else if (final === 'C' || final === 'a') this.#line.moveBy(count)
    else if (final === 'D') this.#line.moveBy(-count)
    else if (final === 'K' || final === 'J') {
      const part = (['right', 'left', 'all'] as const)[parameter]
      if (part !== undefined) this.#line.erase(part)
    } else if ('ABde'.includes(final)) return this.#leaveLine()
    else if ('EF'.includes(final)) return this.#leaveLine(0)
    else if ('Hf'.includes(final)) return this.#leaveLine(columnOf(parameters))
    return ''
  }
}

/** Of `CSI row ; column H`, counted from 0. */
const columnOf = (parameters: string): number =>
  Math.max(Number.parseInt(parameters.split(';')[1] ?? '', 10) || 1, 1) - 1

/**
 * Renders a whole output as {@link OutputRenderer} does: ANSI sequences stripped, carriage-return progress in its last
 * state.
 */
export function normalizeOutput(text: string): string {
  if (text.search(control) === -1) return text
  const renderer = new OutputRenderer()
  return renderer.write(text) + renderer.end()
}
