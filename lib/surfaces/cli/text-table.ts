// Aligned columns for a person, as wide as the terminal at most.

import type { Paint, Style } from './colors.js'

export type Cell = readonly [text: string, style?: Style | undefined]

export interface TableOptions {
  /** What becomes of a text in the last column that is too long. */
  overflow: 'wrap' | 'cut'
  /** Columns of the terminal. Default: any number. */
  width?: number | undefined
  /** Default: no colours. */
  paint?: Paint | undefined
}

const gap = '  '

/** Columns in which the last one can still be read; with fewer it gets lines of its own. */
const minLastWidth = { wrap: 12, cut: 20 } as const

/** @param rows of as many cells each */
export function table(
  rows: readonly (readonly Cell[])[],
  { overflow, width = Number.POSITIVE_INFINITY, paint = (_, text) => text }: TableOptions,
): string {
  const last = (rows[0]?.length ?? 0) - 1
  const textOf = (row: readonly Cell[], column: number) => row[column]?.[0] ?? ''
  const widths = Array.from({ length: last }, (_, column) =>
    Math.max(...rows.map((row) => textOf(row, column).length)),
  )
  const start = widths.reduce((sum, columns) => sum + columns + gap.length, 0)
  const isNarrow = width - start < minLastWidth[overflow]
  const indent = isNarrow ? gap : ' '.repeat(start)
  const show = ([text, style]: Cell) => (style === undefined ? text : paint(style, text))

  const lineOf = (row: readonly Cell[]): string => {
    // Padded after it is painted: escape sequences have no width.
    const leading = widths.map((columns, column) => {
      const cell = row[column] ?? ['']
      return `${show(cell)}${' '.repeat(columns - cell[0].length)}${gap}`
    })
    const [text, style] = row[last] ?? ['']
    if (text === '') return leading.join('').trimEnd()
    const lines = linesOf(text, width - indent.length, overflow).map((line) => show([line, style]))
    const first = isNarrow ? `${leading.join('').trimEnd()}\n${indent}` : leading.join('')
    return `${first}${lines.join(`\n${indent}`)}`
  }
  return rows.map((row) => `${lineOf(row)}\n`).join('')
}

function linesOf(text: string, width: number, overflow: TableOptions['overflow']): string[] {
  if (overflow === 'wrap') return wrap(text, width)
  const characters = [...text]
  return characters.length > width ? [`${characters.slice(0, width - 1).join('')}…`] : [text]
}

/** Breaks between words only: a word that is too long is left to the terminal. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
