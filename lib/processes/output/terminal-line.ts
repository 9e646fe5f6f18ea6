// One line of a terminal: text is printed at a cursor, which carriage returns, backspaces and the like move.

/**
 * Cursor movements do not go further right than this column (counted from 0), as on a terminal of 256 columns. Printed
 * text may. Without a margin a few bytes such as `CSI 999999999 C x` would ask for a gigabyte of spaces.
 */
export const rightMargin = 255
const tabStop = 8
const space = 0x20
const tab = 0x09
/** Stands in a cell that a tab covers, except the tab's first. Not a code point. */
const covered = 0x110000
const partLength = 4096

/** What an erase sequence erases: `CSI 0 K`, `CSI 1 K`, `CSI 2 K`. */
export type Erase = 'right' | 'left' | 'all'

/**
 * Every operation costs time in proportion to the text printed, plus at most one margin's width: no mixture of moves,
 * erasures and text is quadratic in a long line. A code point takes one cell, also where a terminal would give it
 * two (CJK) or none (combining characters): what is overwritten is mostly overwritten by its like.
 */
export class TerminalLine {
  /** The content, as long as nothing was printed anywhere but at its end. Then `#cells` holds it. */
  #plain = ''
  /** Whether the cursor is at the start of `#plain` instead of at its end. CRLF must not cost a change to cells. */
  #returned = false
  #overwritten = false
  /** A code point each. Cells beyond `#length` have been erased. */
  #cells = new Uint32Array(0)
  #length = 0
  #column = 0
  /** So many of the first cells are known to be spaces, whatever `#length` is, and need not be filled again. */
  #blank = 0

  /** Whether the line is empty and the cursor at its start. */
  get isEmpty(): boolean {
    return this.#overwritten ? this.#length === 0 && this.#column === 0 : this.#plain === ''
  }

  /** Of the cursor, counted from 0. */
  get column(): number {
    this.#useCells()
    return this.#column
  }

  /** Characters of its content, about: a measure of memory. */
  get size(): number {
    return this.#overwritten ? this.#length : this.#plain.length
  }

  /** Prints text without control characters other than tabs. It must not begin or end inside a surrogate pair. */
  print(text: string): void {
    if (!this.#overwritten) {
      if (!this.#returned) {
        this.#plain += text
        return
      }
      this.#useCells()
    }
    for (const character of text) this.#put(character.codePointAt(0) as number)
  }

  carriageReturn(): void {
    if (this.#overwritten) this.#column = 0
    else this.#returned = this.#plain !== ''
  }

  backspace(): void {
    this.moveBy(-1)
  }

  /** Moves the cursor by columns, to the right if positive. */
  moveBy(columns: number): void {
    this.#useCells()
    this.#moveTo(this.#column + columns)
  }

  /** Moves the cursor to a column, counted from 0. */
  moveTo(column: number): void {
    this.#useCells()
    this.#moveTo(column)
  }

  /** Erases part of the line. The cursor stays; its own cell is erased in every case. */
  erase(part: Erase): void {
    this.#useCells()
    if (part === 'right') this.#eraseRight()
    else if (part === 'left' && this.#column < this.#length) this.#eraseLeft()
    else this.#length = 0
  }

  /** The content, all of it and not only what is left of the cursor. The line is empty afterwards. */
  take(): string {
    const content = this.#overwritten ? this.#cellsAsText() : this.#plain
    this.#plain = ''
    this.#returned = false
    this.#overwritten = false
    return content
  }

  #useCells(): void {
    if (this.#overwritten) return
    const content = this.#plain
    this.#plain = ''
    this.#overwritten = true
    this.#length = 0
    this.#column = 0
    this.#blank = 0
    for (const character of content) this.#put(character.codePointAt(0) as number)
    if (this.#returned) this.#column = 0
  }

  #moveTo(column: number): void {
    const furthest = Math.max(this.#column, rightMargin)
    this.#column = Math.max(0, Math.min(column, furthest))
  }

  #put(codePoint: number): void {
    if (codePoint === tab) this.#putTab()
    else {
      this.#padToCursor()
      this.#breakTab()
      this.#set(codePoint)
    }
  }

  /** A tab printed over text only moves the cursor; at the end of the line it is content. */
  #putTab(): void {
    const end = this.#column - (this.#column % tabStop) + tabStop
    if (this.#column < this.#length) {
      this.#column = end
      return
    }
    this.#padToCursor()
    this.#set(tab)
    while (this.#column < end) this.#set(covered)
  }

  #set(codePoint: number): void {
    const column = this.#column++
    this.#reserve(column + 1)
    this.#cells[column] = codePoint
    if (column < this.#blank) this.#blank = column
    if (column === this.#length) this.#length++
  }

  /** Makes cells of spaces between the end of the content and a cursor that was moved beyond it. */
  #padToCursor(): void {
    if (this.#column <= this.#length) return
    this.#fillSpaces(this.#length, this.#column)
    this.#length = this.#column
  }

  #eraseRight(): void {
    if (this.#column >= this.#length) return
    this.#breakTab()
    this.#length = this.#column
  }

  #eraseLeft(): void {
    this.#breakTab()
    this.#fillSpaces(0, this.#column + 1)
  }

  #fillSpaces(start: number, end: number): void {
    const from = Math.max(start, this.#blank)
    if (from >= end) return
    this.#reserve(end)
    this.#cells.fill(space, from, end)
    if (start <= this.#blank) this.#blank = end
  }

  /** When the cursor is on a tab, makes it the spaces it looks like: part of it is going to change. */
  #breakTab(): void {
    if (this.#column >= this.#length) return
    let start = this.#column
    while (this.#cells[start] === covered) start--
    if (this.#cells[start] !== tab) return
    const end = start - (start % tabStop) + tabStop
    this.#cells.fill(space, start, Math.min(end, this.#length))
  }

  #reserve(cells: number): void {
    if (cells <= this.#cells.length) return
    const larger = new Uint32Array(Math.max(256, cells, this.#cells.length * 2))
    larger.set(this.#cells)
    this.#cells = larger
  }

  #cellsAsText(): string {
    let end = 0
    for (let column = 0; column < this.#length; column++) {
      const cell = this.#cells[column] as number
      if (cell !== covered) this.#cells[end++] = cell
    }
    let text = ''
    // In parts, because the arguments of one call go on the stack; and by apply, because spread asks an iterator.
    for (let start = 0; start < end; start += partLength) {
      const part = this.#cells.subarray(start, Math.min(end, start + partLength))
      text += String.fromCodePoint.apply(null, part as unknown as number[])
    }
    return text
  }
}
