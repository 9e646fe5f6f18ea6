// What a person's terminal is to show: a part of a screen, cell by cell, and a row about it.

import { oneLine } from '../../processes/output/simplify-command.js'
import { cellWidth } from './cell-width.js'
import type { Screen, StyledRun } from './screen.js'

/** A cell of the terminal. A character of two columns has the second one, which is empty, too. */
export interface Cell {
  readonly text: string
  /** Parameters of SGR, from the default on. */
  readonly style: string
}

export interface Frame {
  /** As many rows, and cells in each, as the terminal has. */
  rows: readonly (readonly Cell[])[]
  /** Counted from 1. */
  cursor: { row: number; column: number }
}

export interface Size {
  rows: number
  columns: number
}

export const blank: Cell = { text: ' ', style: '' }
/** The second column of a character. */
export const covered: Cell = { text: '', style: '' }

const statusStyle = '7'

/** No screen has these, whoever made it: they would be a command to the terminal, or turn the direction of writing. */
const unsafe = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

export const blankFrame = ({ rows, columns }: Size): Frame => ({
  rows: Array.from({ length: rows }, () => Array<Cell>(columns).fill(blank)),
  cursor: { row: 1, column: 1 },
})

/**
 * The part of a screen around its cursor that there is room for above the status. A terminal of one row has no room for
 * that.
 *
 * @param screen with its styles, if it is to be shown with them
 */
export function makeFrame(screen: Screen, status: string, { rows, columns }: Size): Frame {
  const height = rows > 1 ? rows - 1 : rows
  const { row, column, visible } = screen.cursor
  const top = Math.max(0, Math.min(row, screen.rows) - height)
  const left = Math.max(0, column - columns)
  const lines: readonly (readonly StyledRun[])[] =
    screen.styled ?? screen.lines.map((text) => [{ text, style: '' }])
  const shown = Array.from({ length: height }, (_, i) => crop(cellsOf(lines[top + i] ?? []), left, columns))
  if (height < rows) shown.push(statusCells(status, columns))
  return {
    rows: shown,
    // Where it disturbs least: it cannot be hidden without a mode.
    cursor: visible ? { row: row - top, column: column - left } : { row: rows, column: 1 },
  }
}

function cellsOf(runs: readonly StyledRun[]): Cell[] {
  const cells: Cell[] = []
  for (const { text, style } of runs) {
    for (const character of text.replace(unsafe, '\ufffd')) {
      const width = cellWidth(character.codePointAt(0) as number)
      if (width === 0) join(cells, character)
      else cells.push({ text: character, style })
      if (width === 2) cells.push(covered)
    }
  }
  return cells
}

function join(cells: Cell[], character: string): void {
  const at = cells.at(-1) === covered ? cells.length - 2 : cells.length - 1
  const cell = cells[at]
  if (cell !== undefined) cells[at] = { ...cell, text: cell.text + character }
}

/** Half a character is none. */
function crop(cells: readonly Cell[], left: number, columns: number): Cell[] {
  const cropped = cells.slice(left, left + columns)
  if (cropped[0] === covered) cropped[0] = blank
  if (cells[left + columns] === covered) cropped[columns - 1] = blank
  while (cropped.length < columns) cropped.push(blank)
  return cropped
}

/** The last column stays free: what is written there may make a terminal scroll. */
function statusCells(status: string, columns: number): Cell[] {
  const filled = crop(cellsOf([{ text: oneLine(status), style: statusStyle }]), 0, columns - 1)
  return [...filled.map((cell) => (cell === blank ? { text: ' ', style: statusStyle } : cell)), blank]
}
