// How the terminal of a command is told in its result.

import type { WaitingFor } from '../explain/waiting-for.js'
import type { SecretAnswer } from './ask-person.js'
import type { SecretPrompt } from './secret-prompt.js'
import type { TerminalState } from './state.js'

/** How the terminal of a command is. The names and the prompt in it are of programs' choosing. */
export interface TerminalReport extends Omit<TerminalState, 'cursorLine' | 'asksSecret' | 'startTime'> {
  /** The line that the cursor is in, up to the cursor. */
  prompt: string
  /** Whether a secret is asked for, which no model is to type. */
  secret?: SecretPrompt
  /** Whether a person is being asked for that secret: it can be waited for. */
  isAsking?: true
  /** Of a program that does not wait for input: what its processes wait for, or do. */
  waitingFor?: WaitingFor[]
}

/** The screen whose text is the output. */
export interface ShownScreen {
  rows: number
  cols: number
  /** Counted from 1. */
  cursor: { row: number; col: number; visible: boolean }
  /** Whether it was drawn from a part of the output that may not be enough. */
  incomplete: boolean
}

export interface TerminalFields {
  /** None: the command has ended. */
  state?: TerminalReport
  /** None: `output` is what was printed, line by line. */
  screen?: ShownScreen
  /** Why there is no screen where one was wanted. */
  screenError?: string
  /** What has become of questions to a person for secrets, in their order. None of them is in it. */
  secretAnswers?: SecretAnswer[]
}
