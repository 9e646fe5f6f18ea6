// From the emulator's buffer to rows of text, with or without their styles.

import type { IBuffer, IBufferCell } from '@xterm/headless'
import type { StyledRun } from '../screen.js'

/** Rows without blanks at their ends. */
export function readLines(buffer: IBuffer, from: number, to: number): string[] {
  const lines: string[] = []
  for (let row = from; row < to; row++) {
    lines.push(withoutBlanks(buffer.getLine(row)?.translateToString(true) ?? ''))
  }
  return lines
}

/** Without the empty rows at the end. */
export function readScreenLines(buffer: IBuffer, rows: number): string[] {
  const lines = readLines(buffer, buffer.baseY, buffer.baseY + rows)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function withoutBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, end)
}

/** Each row up to its last cell that is not a blank in the default style. */
export function readStyled(buffer: IBuffer, rows: number): StyledRun[][] {
  const styled: StyledRun[][] = []
  for (let row = buffer.baseY; row < buffer.baseY + rows; row++) styled.push(readRow(buffer, row))
  return styled
}

function readRow(buffer: IBuffer, row: number): StyledRun[] {
  const line = buffer.getLine(row)
  const runs: StyledRun[] = []
  let cell: IBufferCell | undefined
  for (let column = 0; line !== undefined && column < line.length; column++) {
    cell = line.getCell(column, cell)
    // The second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const text = cell.getChars() || ' '
    const last = runs.at(-1)
    if (last?.style === style) last.text += text
    else runs.push({ text, style })
  }
  const last = runs.at(-1)
  if (last?.style === '') {
    last.text = withoutBlanks(last.text)
    if (last.text === '') runs.pop()
  }
  return runs
}

const attributes: readonly [parameter: string, has: (cell: IBufferCell) => number][] = [
  ['1', (cell) => cell.isBold()],
  ['2', (cell) => cell.isDim()],
  ['3', (cell) => cell.isItalic()],
  ['4', (cell) => cell.isUnderline()],
  ['5', (cell) => cell.isBlink()],
  ['7', (cell) => cell.isInverse()],
  ['8', (cell) => cell.isInvisible()],
  ['9', (cell) => cell.isStrikethrough()],
  ['53', (cell) => cell.isOverline()],
]

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return ''
  const parameters = attributes.filter(([, has]) => has(cell) !== 0).map(([parameter]) => parameter)
  if (!cell.isFgDefault()) parameters.push(colour('38', cell.isFgRGB(), cell.getFgColor()))
  if (!cell.isBgDefault()) parameters.push(colour('48', cell.isBgRGB(), cell.getBgColor()))
  return parameters.join(';')
}

const colour = (ground: string, isRgb: boolean, value: number): string =>
  isRgb ? `${ground};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}` : `${ground};5;${value}`
