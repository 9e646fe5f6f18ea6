// Text that is the same everywhere. Half a surrogate pair becomes U+FFFD as UTF-8: what is signed would not be what is read.

import { invalidInput } from '../../base/util/invalid-input.js'

export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** @param value JSON. @throws {BashError} ERR_INVALID_INPUT naming the field within it */
export function checkWellFormed(field: string, value: unknown): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw invalidInput(field, 'must be well-formed Unicode', value)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) checkWellFormed(`${field}.${key}`, inner)
  }
}
