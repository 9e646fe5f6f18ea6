// The screen of a terminal as it is told: text, cursor, what has scrolled off.

import { type Bounded, BoundedText } from '../../processes/output/bounded-text.js'

/** Rows that have scrolled off the screen and are kept. */
export const maxScrollback = 1000

export interface Screen {
  rows: number
  columns: number
  /** Its rows from the top, without the blanks at their ends and without the empty ones at the end. */
  lines: string[]
  /** Counted from 1, as programs do. `visible`: whether the program shows it. */
  cursor: { row: number; column: number; visible: boolean }
  /** Whether this is the alternate screen, as of vim or less, which keeps what has scrolled off for later. */
  alternate: boolean
  /** Whether arrow keys are to be sent as DECCKM has them. */
  applicationCursor: boolean
  /** Whether the program has asked for marks around pasted text. */
  bracketedPaste: boolean
  /** Whether it was drawn from a part of the output whose beginning is not known: it may be incomplete. */
  incomplete: boolean
  /** What has scrolled off, the oldest row first, up to {@link maxScrollback}. Only if it was asked for. */
  scrollback?: string[]
  /** `lines` with colours. Only if it was asked for. */
  styled?: StyledRun[][]
}

/** Text of one row in one style. */
export interface StyledRun {
  text: string
  /** The parameters of SGR that give this style, from the default on: `1;38;5;2`. Empty: the default. */
  style: string
}

/** A screen that could not be drawn. */
export interface NoScreen {
  /** Begins with `screen not available`. */
  unavailable: string
}

export type ScreenAnswer = Screen | NoScreen

/** A screen in a line about the state of its program: `screen 24x100, cursor 23,74`. */
export function screenState({
  rows,
  columns,
  cursor,
  incomplete,
}: Pick<Screen, 'rows' | 'columns' | 'cursor' | 'incomplete'>): string {
  const state = `screen ${rows}x${columns}, cursor ${cursor.row},${cursor.column}`
  return incomplete ? `${state}, may be incomplete` : state
}

/**
 * Text of a screen for a model, as long as other output may be.
 *
 * @param maxChars characters: the call's `maxOutputChars`
 */
export function screenText({ lines }: Pick<Screen, 'lines'>, maxChars: number): Bounded {
  const text = new BoundedText(maxChars, { wholeLines: true })
  text.add(lines.join('\n'))
  return text.result()
}
