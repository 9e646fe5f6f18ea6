// Shared by the command lines of long test runs.
import { parseArgs } from 'node:util'

/** The message says everything. */
export class UsageError extends Error {}

/**
 * @param {string[]} args
 * @param {import('node:util').ParseArgsConfig['options']} options
 * @throws {UsageError}
 */
export const parseValues = (args, options) => {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error.message)
  }
}

/** @throws {UsageError} */
export const wholeNumber = (field, value, [least, most]) => {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  const range = `a whole number from ${least} to ${most}`
  throw new UsageError(`--${field}: must be ${range} (got ${JSON.stringify(value)})`)
}

/** @throws {UsageError} */
export const oneOf = (field, value, allowed) => {
  if (allowed.includes(value)) return value
  throw new UsageError(`--${field}: must be one of ${allowed.join(', ')} (got ${JSON.stringify(value)})`)
}
