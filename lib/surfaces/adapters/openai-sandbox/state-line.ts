// How a program on a terminal is, in a line behind its output.

import { quoteName } from '../../../terminals/terminal/names.js'
import { type Screen, screenState } from '../../../terminals/terminal/screen.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import type { TerminalVerdict } from '../../../terminals/terminal/verdict.js'

const waits: Partial<Record<TerminalVerdict, string>> = {
  line: 'waits for a line',
  keys: 'waits for keys',
  password: 'asks for a secret',
  watching: 'accepts keys',
  stopped: 'is stopped',
}

/**
 * @param screen what is shown, if that is the screen
 * @returns empty when there is nothing to say: it runs on
 */
export function stateLine(state: TerminalState | undefined, screen?: Screen): string {
  const { verdict = 'unknown', likely, program } = state ?? {}
  const says = waits[verdict] ?? (likely === true ? 'probably waits for input' : '')
  const parts = [
    says === '' ? '' : `${says}${program === undefined ? '' : `: ${quoteName(program)}`}`,
    screen === undefined ? '' : screenState(screen),
  ]
  const line = parts.filter((part) => part !== '').join('; ')
  return line === '' ? '' : `[${line}]`
}
