// The values of options, checked. A message names the option, what is allowed and what came.

import { preview } from '../util/schema/preview.js'
import { UsageError } from './command-line.js'

export function wrongValue(
  program: string,
  option: string,
  requirement: string,
  received: string,
): UsageError {
  return new UsageError(program, `${option} ${requirement} (got ${preview(received)})`)
}

/**
 * A number of seconds, such as `0.5`.
 *
 * @param range milliseconds
 * @returns milliseconds; undefined when the option was not given
 * @throws {UsageError}
 */
export function parseSeconds(
  program: string,
  option: string,
  value: string | undefined,
  [minimum, maximum]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined
  // Number() alone would take '', '0x10' and '1e3', which nobody means.
  const milliseconds = /^(\d+\.?\d*|\.\d+)$/.test(value) ? Math.round(Number(value) * 1000) : Number.NaN
  if (milliseconds >= minimum && milliseconds <= maximum) return milliseconds
  const range = `must be a number of seconds from ${minimum / 1000} to ${maximum / 1000}`
  throw wrongValue(program, option, range, value)
}

/** @throws {UsageError} for an empty path */
export function parseDirectory(program: string, value = '.'): string {
  if (value === '') throw wrongValue(program, '--cwd', 'must be the path of a directory', value)
  return value
}
