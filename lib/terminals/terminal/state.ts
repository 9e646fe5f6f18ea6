// How a terminal is: whether its program waits for input, and what for.

import { oneLine } from '../../processes/output/simplify-command.js'
import type { StateFields } from './frames.js'
import { type SecretPrompt, secretAsked } from './secret-prompt.js'
import { maxTerminal } from './size.js'
import { type TerminalVerdict, terminalVerdicts } from './verdict.js'

const reasons = ['asked', 'input', 'quiet', 'deadline', 'ended', 'replaced'] as const

/**
 * Why there is an answer.
 *
 * - `asked`: it was asked for
 * - `input`: input is waited for
 * - `quiet`: nothing has been printed for `quietMs`
 * - `deadline`: the time is up
 * - `ended`: the job has ended
 * - `replaced`: another `wait`, or another `state`, of the same object has taken the place of this one
 */
export type TerminalReason = (typeof reasons)[number]

export interface TerminalState {
  reason: TerminalReason
  verdict: TerminalVerdict
  /** With `relay` and `hidden`: what is on the screen looks like a question or a prompt. */
  likely: boolean
  /** The process that the verdict is about, and its name, which it may have chosen itself. */
  pid?: number
  program?: string
  /** When that process was started, in clock ticks since the machine was. */
  startTime?: number
  /**
   * Whether a secret is asked for, which no model is to type: `certain` where a program waits for a line that is not shown,
   * `likely` where {@link cursorLine} asks for one.
   */
  asksSecret?: SecretPrompt
  /**
   * What was printed last in the line of the cursor, up to it: the prompt, if there is one. Of a program that fills the screen it is
   * empty, or a part.
   */
  cursorLine: string
  /** Whether what is typed is shown. */
  echo: boolean
  /** Whether the terminal gives the program whole lines, which can be edited before. */
  cooked: boolean
  /** Whether all of this is about a terminal that a program has made within this one, as tmux and script do. */
  nested: boolean
  /** Whether a program fills the whole screen. */
  altScreen: boolean
  /** Whether a program wants pasted text to be marked as such. */
  bracketedPaste: boolean
  rows: number
  cols: number
  /** The process group in the foreground. */
  foreground?: number
  /** Bytes that were typed and not read yet: by the program; of lines, those that are complete. */
  unreadBytes: number
  /** Bytes that were typed and that the terminal gets once the program has read those. */
  queuedBytes: number
  /** Bytes that were typed and have been dropped so far: for an interrupt, or as another program would have read them. */
  droppedBytes: number
  /** Milliseconds since it has printed something. */
  quietMs: number
  /** Bytes that it has printed so far. */
  offset: number
}

/** The bits of protocol::TerminalFlags. */
const flags = { echo: 1, cooked: 2, likely: 4, nested: 8, altScreen: 16, bracketedPaste: 32 }

export function toState(fields: StateFields): TerminalState {
  const has = (flag: keyof typeof flags) => (fields.flags & flags[flag]) !== 0
  const verdict = terminalVerdicts[fields.verdict] ?? 'unknown'
  const cursorLine = lineOf(fields.line)
  const modes = { echo: has('echo'), cooked: has('cooked') }
  const asksSecret = secretAsked({ verdict, cursorLine, ...modes })
  const { rows, columns: cols, foreground, pid, unread, queued, dropped, quietMs, offset, name } = fields
  return {
    reason: reasons[fields.reason] ?? 'asked',
    verdict,
    likely: has('likely'),
    ...(pid > 0 && { pid, program: oneLine(name.toString('utf8')) }),
    ...(fields.startTime > 0 && { startTime: fields.startTime }),
    ...(asksSecret !== undefined && { asksSecret }),
    cursorLine,
    ...modes,
    nested: has('nested'),
    altScreen: has('altScreen'),
    bracketedPaste: has('bracketedPaste'),
    // A program may give its terminal any size; a screen of it is not to be of any size.
    rows: Math.min(rows, maxTerminal.rows),
    cols: Math.min(cols, maxTerminal.cols),
    ...(foreground > 0 && { foreground }),
    unreadBytes: unread,
    queuedBytes: queued,
    droppedBytes: dropped,
    quietMs,
    offset,
  }
}

/** Of a long line the beginning is missing, maybe with a part of a character. */
const lineOf = (line: Buffer): string => unprintable(line.toString('utf8').replace(/^\ufffd+/, ''))

/** What no screen shows, and what turns the direction of writing. */
const unprintable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '')
