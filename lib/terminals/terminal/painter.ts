// Shows a screen on a person's terminal: text, colours and the cursor's place, never what the program has sent. A program could
// otherwise make the terminal answer into it, set its title, or fill the clipboard.

import { blank, blankFrame, type Cell, covered, type Frame, makeFrame, type Size } from './painted-frame.js'
import type { Screen } from './screen.js'

/** Equal cells between two that differ are written again if there are no more: to go over them takes as many bytes. */
const shortGap = 4

const resetStyle = '\x1b[0m'

/** Takes one column on every terminal: Latin, lines and blocks. */
const isSafeWidth = (text: string): boolean => /^[\x20-\u02ff\u2500-\u259f]$/.test(text)

/**
 * Gives what to write to the terminal. No mode is set: a process that is killed leaves nothing behind but text. The last row
 * is that of the status.
 */
export class ScreenPainter {
  #size: Size
  #shown: Frame
  /** Of the cells that are written next, while one frame is painted. */
  #style = ''

  /** @param size of the terminal */
  constructor(size: Size) {
    this.#size = size
    this.#shown = blankFrame(size)
  }

  /** Before the first screen: what the terminal shows is scrolled away, and not overwritten. */
  enter(): string {
    return `${resetStyle}${'\r\n'.repeat(this.#size.rows)}\x1b[H\x1b[J`
  }

  /** The terminal has another size. Whatever it shows now is removed; the next screen is shown whole. */
  resize(size: Size): string {
    this.#size = size
    this.#shown = blankFrame(size)
    return `${resetStyle}\x1b[H\x1b[J`
  }

  /**
   * What of the screen differs from what is shown.
   *
   * @param status in the last row, in reverse. Of more lines one is made
   */
  paint(screen: Screen, status: string): string {
    const frame = makeFrame(screen, status, this.#size)
    this.#style = ''
    const changes = frame.rows.map((cells, row) => this.#paintRow(row, cells)).join('')
    this.#shown = frame
    const { row, column } = frame.cursor
    return `${changes}${this.#setStyle('')}${goTo(row - 1, column - 1)}`
  }

  /** After the last screen, which stays, without the status. The cursor is below what it shows. */
  leave(): string {
    const last = this.#size.rows - 1
    const screen = this.#size.rows > 1 ? this.#shown.rows.slice(0, last) : this.#shown.rows
    const used = screen.findLastIndex((cells) => cells.some((cell) => !isSame(cell, blank))) + 1
    return `${resetStyle}${goTo(last, 0)}\x1b[K${goTo(Math.min(used, last), 0)}`
  }

  #paintRow(row: number, cells: readonly Cell[]): string {
    const before = this.#shown.rows[row] ?? []
    const contentEnd = cells.findLastIndex((cell) => !isSame(cell, blank)) + 1
    let painted = ''
    /** Where the terminal's cursor is; undefined: in another row, or that depends on the terminal. */
    let at: number | undefined
    for (let column = nextChange(before, cells, 0); column < cells.length; ) {
      // Nothing but blanks follows.
      if (column >= contentEnd) return `${painted}${this.#setStyle('')}${goTo(row, column)}\x1b[K`
      painted += this.#bridge(cells, at, column) ?? goTo(row, column)
      const end = cells[column + 1] === covered ? column + 2 : column + 1
      const cell = cells[column] as Cell
      painted += this.#write(cell, end - column)
      at = isSafeWidth(cell.text) ? end : undefined
      column = nextChange(before, cells, end)
    }
    return painted
  }

  /** Writes the cells between two that differ; undefined where it is simpler to go there. */
  #bridge(cells: readonly Cell[], from: number | undefined, to: number): string | undefined {
    if (from === undefined || to - from > shortGap) return undefined
    const between = cells.slice(from, to)
    if (!between.every(({ text, style }) => style === this.#style && isSafeWidth(text))) return undefined
    return between.map(({ text }) => text).join('')
  }

  #write({ text, style }: Cell, width: number): string {
    // A terminal that gives it fewer columns would leave one of them as it was.
    const cleared = isSafeWidth(text) ? '' : `\x1b[${width}X`
    return this.#setStyle(style) + cleared + text
  }

  #setStyle(style: string): string {
    if (style === this.#style) return ''
    this.#style = style
    return style === '' ? resetStyle : `\x1b[0;${style}m`
  }
}

const goTo = (row: number, column: number): string => `\x1b[${row + 1};${column + 1}H`

const isSame = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one === other || (one?.text === other?.text && one?.style === other?.style)

function nextChange(before: readonly Cell[], after: readonly Cell[], from: number): number {
  let column = from
  while (column < after.length && isSame(before[column], after[column])) column++
  return column
}
