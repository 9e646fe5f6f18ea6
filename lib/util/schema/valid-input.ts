// An input that is valid, or the error that says what is wrong with it.

import { BashError } from '../../errors.js'
import type { InputOf, JsonSchema } from './json-schema.js'
import { validate } from './validate.js'

/** @throws {BashError} ERR_INVALID_INPUT with a message for each field */
export function validInput<Schema extends JsonSchema>(schema: Schema, input: unknown): InputOf<Schema> {
  const validation = validate(schema, input)
  if (validation.ok) return validation.value
  throw new BashError('ERR_INVALID_INPUT', validation.issues.map(({ message }) => message).join('; '))
}
