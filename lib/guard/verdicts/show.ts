// How messages show a piece of a command.

import { escapeTarget } from '../sandbox/denial-targets.js'
import type { Argument } from './argument.js'

/** Characters of a piece that a message shows. */
const defaultLength = 40

/**
 * The piece in backticks, cut where it is long; control characters and backticks in it are written as escapes.
 *
 * @param maxLength characters. Default 40
 */
export function show(piece: string, maxLength = defaultLength): string {
  const shown = escapeTarget(piece.slice(0, maxLength)).replaceAll('`', '\\x60')
  return `\`${shown}${piece.length > maxLength ? '…' : ''}\``
}

/** What is known of the argument, in backticks, or a few words. */
export function showArgument(argument: Argument): string {
  if (argument.kind === 'text') return argument.text === '' ? 'an empty word' : show(argument.text)
  return argument.kind === 'prefix'
    ? show(`${argument.head.slice(0, defaultLength - 1)}…`)
    : 'a word that is not known'
}
