// Text that is typed: what of it may be sent, and as which bytes.

import { invalidInput } from '../../base/util/invalid-input.js'
import { maxInputBytes } from './frames.js'
import type { TerminalState } from './state.js'

/** C0 but for tab and line feed, DEL, and C1. */
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/

const pasteBegin = '\x1b[200~'
const pasteEnd = '\x1b[201~'
/** The marks of a paste, and Enter. */
const room = pasteBegin.length + pasteEnd.length + 1

/**
 * An escape sequence in it could end a paste and have the rest executed; keys are sent by their names.
 *
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function checkText(field: string, text: unknown): string {
  if (typeof text !== 'string') throw invalidInput(field, 'must be a string', text)
  const control = controls.exec(text)?.[0]
  if (control !== undefined) {
    const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    throw invalidInput(
      field,
      `must be without control characters but tab and line feed, and has U+${code}; keys have names, see keys()`,
      text,
    )
  }
  if (Buffer.byteLength(text) > maxInputBytes - room) {
    throw invalidInput(
      field,
      `must be at most ${maxInputBytes - room} bytes; write it to a file, or pipe it`,
      text,
    )
  }
  return text
}

/**
 * Lines end as Enter ends them. Several go as one paste where the program has asked for that: it does not take each for a
 * command then, and does not indent them.
 */
export function bytesOfText(
  text: string,
  submit: boolean,
  { cooked, bracketedPaste }: Pick<TerminalState, 'cooked' | 'bracketedPaste'>,
): Buffer {
  const isPaste = bracketedPaste && !cooked && text.includes('\n')
  const typed = text.replaceAll('\n', '\r')
  return Buffer.from(`${isPaste ? `${pasteBegin}${typed}${pasteEnd}` : typed}${submit ? '\r' : ''}`)
}

/** What is passed on as it is. @throws {BashError} ERR_INVALID_INPUT */
export function checkBytes(field: string, bytes: unknown): Buffer {
  const isPossible = bytes instanceof Uint8Array && bytes.length >= 1 && bytes.length <= maxInputBytes
  if (!isPossible) throw invalidInput(field, `must be 1 to ${maxInputBytes} bytes`, bytes)
  return Buffer.from(bytes)
}
