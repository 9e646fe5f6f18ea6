// The check of a policy that is given as an option.

import { invalidInput } from '../../../base/util/invalid-input.js'
import { Policy } from './policy.js'

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkPolicy(field: string, value: unknown): Policy | undefined {
  if (value === undefined || value instanceof Policy) return value
  throw invalidInput(field, 'must be what loadPolicy() returns', value)
}
