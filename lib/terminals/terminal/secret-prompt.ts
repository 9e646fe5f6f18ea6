// Whether a terminal asks for a secret, which no model is to type: a person is asked for it.

import type { Screen } from './screen.js'
import type { TerminalVerdict } from './verdict.js'

/**
 * - `certain`: a program waits for a line that is not shown
 * - `likely`: what stands at the cursor asks for a secret. Programs that read keys, and what runs behind ssh, switch no echo off
 *   that could be seen here
 */
export type SecretPrompt = 'certain' | 'likely'

export interface MaybeSecret {
  verdict: TerminalVerdict
  echo?: boolean
  cooked?: boolean
  /** The line that the cursor is in, up to the cursor. */
  cursorLine?: string
}

const words = [
  ...['pass(?:[ -]?(?:word|phrase|code|wd))?', 'pin', 'token', 'otp', 'totp', 'secret', 'credentials?'],
  ...[
    '(?:one|1)[- ]time',
    '(?:2fa|mfa|verification|authentication|security|access|recovery|backup)[ -]?code',
  ],
  ...['(?:api|secret|private|access)[ -_]?key'],
  ...['passwort', 'kennwort', 'mot de passe', 'contraseña', 'senha', 'wachtwoord', 'hasło', 'пароль'],
].join('|')
/** Of scripts without blanks between words. */
const joined = '密码|密碼|パスワード|비밀번호'

/** Letters of any script, as in `Passwörter`, make another word of it. A plural asks for nothing. */
const asks = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])|${joined}`, 'iu')
/** Or it is text that only mentions one: a prompt ends so, maybe with what is typed already, shown as dots. */
const prompt = new RegExp(`(?:[:?=\\])>：？]|(?:${words}|${joined}))[\\s*•●·∙]*$`, 'iu')
/** Asks whether, not which. */
const choice = /[[(<]\s*(?:y(?:es)?\s*[/|,]\s*no?|o(?:ui)?\/non?|j(?:a)?\/n(?:ein)?)\b[^\])>]*[\])>]\W*$/iu
/** Of a prompt of a shell, which may stand in a directory of any name. */
const shellPrompt = /^[^\s@]+@[^\s:]+[: ]\S*[>\])]\s*$/u

/** A longer line is text. */
const maxPrompt = 300

/** Whether a line that ends at the cursor asks for a secret. */
export const lineAsksSecret = (line: string): boolean =>
  line.length <= maxPrompt &&
  asks.test(line) &&
  prompt.test(line) &&
  !choice.test(line) &&
  !shellPrompt.test(line)

/** How far above its field a dialog may have its text. */
const rowsAbove = 8
/** A field of a dialog: between the lines of its frame, empty or with what is typed already, shown as dots. */
const field = /^[^\p{L}\p{N}]*[│┃|┤├║][\s_*•●·∙.]*$/u
const frame = /[│┃┤├║]|^\s*\|/u

/** Whether the cursor is in a field of a dialog whose text asks for a secret: whiptail, dialog, pinentry-curses. */
export function screenAsksSecret({ lines, cursor }: Pick<Screen, 'lines' | 'cursor'>): boolean {
  const row = cursor.row - 1
  const upToCursor = [...(lines[row] ?? '')].slice(0, cursor.column - 1).join('')
  if (lineAsksSecret(upToCursor)) return true
  const line = upToCursor.trimEnd()
  if (!field.test(line)) return false
  return lines.slice(Math.max(0, row - rowsAbove), row).some((above) => frame.test(above) && asks.test(above))
}

/**
 * Text of a model is to be refused when this says anything. `C-c` and the like are no answer.
 *
 * @param state as `JobTerminal.wait()` or `state()` has it
 * @param screen of it, if there is one: a dialog asks above its cursor
 */
export function secretAsked(
  { verdict, echo, cooked, cursorLine }: MaybeSecret,
  screen?: Pick<Screen, 'lines' | 'cursor'>,
): SecretPrompt | undefined {
  // One that looks after other things meanwhile is `watching`.
  const hides = cooked === true && echo === false
  if (verdict === 'password' || (verdict === 'watching' && hides)) return 'certain'
  const likely =
    (cursorLine !== undefined && lineAsksSecret(cursorLine)) ||
    (screen !== undefined && screenAsksSecret(screen))
  return likely ? 'likely' : undefined
}
