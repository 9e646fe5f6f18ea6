// The input of a suite tool, and the error that says what is wrong with it or the system.

import { BashError, type BashErrorCode } from '../../errors.js'
import type { InputOf, JsonSchema } from '../../schema/json-schema.js'
import { validate } from '../../schema/validate.js'

/** @throws {BashError} ERR_INVALID_INPUT with a message for each field */
export function validInput<Schema extends JsonSchema>(schema: Schema, input: unknown): InputOf<Schema> {
  const validation = validate(schema, input)
  if (validation.ok) return validation.value
  const message = validation.issues.map((issue) => issue.message).join('; ')
  throw new BashError('ERR_INVALID_INPUT', message)
}

export function toolError(error: unknown): { code: BashErrorCode; message: string } {
  const message = error instanceof Error ? error.message : String(error)
  return { code: BashError.isInstance(error) ? error.code : 'ERR_INTERNAL', message }
}

/** What the model reads of a call that failed. Messages about ids and filters speak for themselves. */
export function errorText(error: { code: string; message: string } | undefined): string {
  if (error === undefined) return '[system error]'
  if (error.code === 'ERR_INVALID_INPUT') return `[invalid input: ${error.message}]`
  return error.code.startsWith('ERR_JOB_') || error.code === 'ERR_INVALID_FILTER'
    ? error.message
    : `[system error: ${error.message}]`
}
