// The size of a terminal, and the option that asks for one.

import { checkInteger, checkObject, invalidInput } from '../../base/util/invalid-input.js'
import type { TerminalSize } from '../../processes/engine/request.js'

export interface TerminalSizeOptions {
  /** 1…200, default 24. */
  rows?: number | undefined
  /** 1…500, default 100. */
  cols?: number | undefined
}

export const defaultTerminal: TerminalSize = { rows: 24, cols: 100 }
export const maxTerminal: TerminalSize = { rows: 200, cols: 500 }

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkSize(field: string, size: unknown): TerminalSize {
  const { rows = defaultTerminal.rows, cols = defaultTerminal.cols } = checkObject(field, size, [
    'rows',
    'cols',
  ]) as TerminalSizeOptions
  checkInteger(`${field}.rows`, rows, [1, maxTerminal.rows])
  checkInteger(`${field}.cols`, cols, [1, maxTerminal.cols])
  return { rows, cols }
}

/** The `tty` option. @returns undefined: no terminal */
export function checkTty(field: string, tty: unknown): TerminalSize | undefined {
  if (tty === undefined || tty === false) return undefined
  return checkSize(field, tty === true ? {} : tty)
}

/** A job's output is in its file, what it reads is typed, and what it leaves running is part of it. */
const withoutTty = [
  ...['input', 'streams', 'onOutput', 'backgroundAfter', 'survivors'],
  ...['saveOutput', 'errorLines', 'normalizeOutput', 'maxOutputChars'],
] as const

/** @throws {BashError} ERR_INVALID_INPUT for an option that has no meaning with `tty` */
export function checkBesideTty(given: { [Name in (typeof withoutTty)[number]]?: unknown }): void {
  const other = withoutTty.find((name) => given[name] !== undefined)
  if (other !== undefined) throw invalidInput(other, 'must be left out with tty', given[other])
}
