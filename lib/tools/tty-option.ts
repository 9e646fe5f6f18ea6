// The option tty of tools whose commands can have terminals.

import { checkObject } from '../base/util/invalid-input.js'
import type { TerminalSize } from '../processes/engine/request.js'
import type { AskingOptions } from '../terminals/terminal/ask-person.js'
import { checkTty, type TerminalSizeOptions } from '../terminals/terminal/size.js'

export interface TtyOptions extends TerminalSizeOptions, AskingOptions {}

export interface CheckedTty {
  size: TerminalSize
  /** Not checked yet: few need what knows of it. */
  asking: { [Name in keyof AskingOptions]: unknown }
}

/** @returns undefined: there are none */
export function checkToolTty(field: string, tty: unknown): CheckedTty | undefined {
  if (typeof tty !== 'object') {
    const size = checkTty(field, tty)
    return size && { size, asking: {} }
  }
  const { askPerson, passwords, ...given } = checkObject(field, tty, [
    'rows',
    'cols',
    'askPerson',
    'passwords',
  ])
  const size = checkTty(field, given)
  return size && { size, asking: { askPerson, passwords } }
}
