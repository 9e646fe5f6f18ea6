// The text of a command, as far as it can be checked without reading it as bash does.

import { BashError } from '../../base/errors.js'
import { invalidInput } from '../../base/util/invalid-input.js'

/** Above it a command is refused: nobody types that much, and something has gone wrong. */
export const maxCommandBytes = 4 * 1024 * 1024

/** @throws {BashError} ERR_INVALID_INPUT when `command` is not a string that can be run */
export function checkCommandText(command: unknown): asserts command is string {
  if (typeof command !== 'string') throw invalidInput('command', 'must be a string', command)
  const nul = command.indexOf('\0')
  if (nul >= 0) {
    throw new BashError(
      'ERR_INVALID_INPUT',
      `command: must not contain NUL characters (got one at index ${nul})`,
    )
  }
  // A UTF-16 unit takes three bytes at most: only a very long command has to be measured.
  if (command.length * 3 > maxCommandBytes && Buffer.byteLength(command) > maxCommandBytes) {
    throw new BashError(
      'ERR_INVALID_INPUT',
      `command: must be at most ${maxCommandBytes} bytes (got ${Buffer.byteLength(command)}); ` +
        'write a script to a file and run that',
    )
  }
}
