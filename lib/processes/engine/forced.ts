// Which engine the operator wants, whatever a self-test says: the environment variable BASHWARD_ENGINE.

import { checkOneOf } from '../../base/util/invalid-input.js'
import type { EngineName } from './engine.js'

export const engineVariable = 'BASHWARD_ENGINE'

/**
 * @returns undefined when the choice is left to the self-test: the variable is not set, or empty
 * @throws {BashError} ERR_INVALID_INPUT for another value than `native` and `portable`
 */
export function forcedEngine(): EngineName | undefined {
  const value = process.env[engineVariable]
  return value === undefined || value === ''
    ? undefined
    : checkOneOf(engineVariable, value, ['native', 'portable'])
}
