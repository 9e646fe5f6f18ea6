// Identifiers that come from elsewhere: of conversations, of calls. Two that differ must never be taken for the same.

import { invalidInput } from './invalid-input.js'

const maxBytes = 1024

/**
 * A text of 1 to 1024 bytes. Half a surrogate pair is refused: as UTF-8 all of those are the same U+FFFD.
 *
 * @throws {BashError} ERR_INVALID_INPUT naming the field
 */
export function checkIdentifier(field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > maxBytes) {
    throw invalidInput(field, `must be a string of 1 to ${maxBytes} bytes`, value)
  }
  if (/\p{Surrogate}/u.test(value)) throw invalidInput(field, 'must be well-formed Unicode', value)
  return value
}
