// The option redact: whether withheld values are taken out of output.

import { checkFlag, checkObject, invalidInput } from '../../base/util/invalid-input.js'
import type { EnvironmentOptions } from './environment-options.js'

export interface RedactOptions {
  /** Take out tokens of known services as well, whoever holds them. Default false. */
  tokens?: boolean | undefined
}

export interface CheckedRedact {
  values: boolean
  tokens: boolean
}

const byDefault: CheckedRedact = { values: true, tokens: false }
const none: CheckedRedact = { values: false, tokens: false }

/** @throws {BashError} ERR_INVALID_INPUT */
export function checkRedact(field: string, value: unknown): CheckedRedact {
  if (value === undefined || value === true) return byDefault
  if (value === false) return none
  if (typeof value !== 'object') throw invalidInput(field, 'must be a boolean or an object', value)
  const { tokens } = checkObject(field, value, ['tokens'])
  return { values: true, tokens: checkFlag(`${field}.tokens`, tokens) }
}

/** How the jobs of a tool with these options are read, as the `redact` of `JobStore.read()`. */
export function redactOfJobs(
  { values, tokens }: CheckedRedact,
  env: EnvironmentOptions | undefined,
): { tokens: boolean; env?: EnvironmentOptions } | false {
  return values ? { tokens, ...(env !== undefined && { env }) } : false
}
