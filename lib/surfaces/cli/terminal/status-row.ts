// What is said of a job with a terminal: in the last row of a person's, and in a line.

import { quoteName } from '../../../terminals/terminal/names.js'
import type { TerminalState } from '../../../terminals/terminal/state.js'
import type { TerminalVerdict } from '../../../terminals/terminal/verdict.js'

/** What a program does, after its name. */
const doings: Readonly<Record<TerminalVerdict, string>> = {
  line: 'waits for a line',
  keys: 'waits for keys',
  password: 'asks for a secret: what is typed is not shown',
  watching: 'accepts keys',
  relay: 'passes keys on',
  hidden: 'cannot be looked into',
  stopped: 'is stopped',
  busy: 'computes',
  sleep: 'sleeps',
  net: 'waits for the network',
  lock: 'waits for a lock',
  pipe: 'waits for another process',
  listen: 'listens for connections',
  disk: 'waits for the disk',
  other: 'runs',
  unknown: 'runs',
}

/** `"vim" accepts keys`. Its name is of its own choosing, hence the quotes. */
export function describeState({ verdict, likely, program, asksSecret }: TerminalState): string {
  const name = program === undefined ? 'it' : quoteName(program)
  const more =
    asksSecret === 'likely'
      ? ', and seems to ask for a secret'
      : likely
        ? ', and probably waits for input'
        : ''
  return `${name} ${doings[verdict]}${more}`
}

export interface StatusRow {
  id: string
  isReadOnly: boolean
  /** Undefined: not known yet, or any more. */
  state: TerminalState | undefined
  /** Whether the terminal shows a part of the screen only. */
  isCropped: boolean
  /** Something that has to be known: why nothing is shown, or was typed. */
  problem: string | undefined
}

/** The most important comes first: the row is cut where the terminal ends. */
export function statusRow({ id, isReadOnly, state, isCropped, problem }: StatusRow): string {
  const parts = ['^] detaches', id]
  if (isReadOnly) parts.push('read-only')
  if (problem !== undefined) parts.push(problem)
  if (state !== undefined) {
    parts.push(describeState(state))
    if (state.queuedBytes > 0) parts.push(`${state.queuedBytes} typed bytes wait until it reads`)
    if (isCropped) parts.push(`a part of ${state.rows}x${state.cols}`)
  }
  return parts.join(' | ')
}
