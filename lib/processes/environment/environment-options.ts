// The options of the environment filter, and their validation.

import { BashError } from '../../base/errors.js'
import { checkFlag, checkObject, checkOneOf, invalidInput } from '../../base/util/invalid-input.js'

const inheritModes = ['filtered', 'all', 'none'] as const

/** What a command gets of the host's environment. */
export interface EnvironmentOptions {
  /**
   * - `'filtered'` (default): without secrets and variables that change the shell, with non-interactive defaults
   * - `'all'`: everything the host has, nothing added
   * - `'none'`: only PATH, HOME, USER, LOGNAME, SHELL, LANG, LC_*, TZ, TMPDIR and what `allow` names, with the
   *   non-interactive defaults
   */
  inherit?: 'filtered' | 'all' | 'none'
  /** Names, or patterns with `*`, that are kept although a rule finds a secret. Case counts. */
  allow?: readonly string[]
  /** Names, or patterns with `*`, that are withheld in addition, in every mode; beats `allow`. Case counts. */
  deny?: readonly string[]
  /** Set last and never filtered. `undefined` removes the variable, a default too. */
  set?: Readonly<Record<string, string | undefined>>
  /**
   * Take what the user's start-up files make of the environment: a login shell is asked in the command's directory and
   * sandbox, and what it has is filtered as the host's own. `filterEnvironment` does not look at it. Default false.
   */
  login?: boolean
}

const fields = ['inherit', 'allow', 'deny', 'set', 'login'] as const

/**
 * Longest `NAME=value`, in bytes, that execve accepts: MAX_ARG_STRLEN, 32 pages of 4 KiB, less the final NUL.
 * Source: execve(2), "Limits on size of arguments and environment".
 */
const maxEntryBytes = 131_071

/**
 * Checks options that came from outside.
 *
 * @param options the value to check
 * @param field what to call it in messages
 * @throws {BashError} ERR_INVALID_INPUT naming the field, what is allowed and what came
 */
export function checkEnvironmentOptions(options: unknown, field = 'env'): EnvironmentOptions {
  const checked = checkObject(field, options, fields)
  const { inherit, allow, deny, set, login } = checked
  checkOneOf(`${field}.inherit`, inherit, inheritModes)
  if (allow !== undefined) validatePatterns(allow, `${field}.allow`)
  if (deny !== undefined) validatePatterns(deny, `${field}.deny`)
  if (set !== undefined) validateSet(set, `${field}.set`)
  checkFlag(`${field}.login`, login)
  return checked
}

/** Whether the kernel can pass `name=value` to a program. */
export function isPassable(name: string, value: string): boolean {
  return isPassableName(name) && !value.includes('\0') && fits(name, value)
}

/** Whether `name` can be the name of an environment variable at all. */
export function isPassableName(name: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0')
}

function validatePatterns(patterns: unknown, field: string): void {
  if (!Array.isArray(patterns)) throw invalidInput(field, 'must be an array of names or patterns', patterns)
  for (const [index, pattern] of patterns.entries()) {
    if (typeof pattern !== 'string' || !isPassableName(pattern)) {
      throw invalidInput(`${field}[${index}]`, "must be a non-empty string without '=' and NUL", pattern)
    }
  }
}

function validateSet(set: unknown, field: string): void {
  if (!isObject(set)) throw invalidInput(field, 'must be an object of strings', set)
  for (const name of Object.keys(set)) {
    if (!isPassableName(name)) {
      throw invalidInput(field, "names must be non-empty and without '=' and NUL", name)
    }
    const value = set[name]
    if (value === undefined) continue
    if (typeof value !== 'string')
      throw invalidInput(`${field}.${name}`, 'must be a string or undefined', value)
    // The value itself may be a secret, so these messages do not repeat it.
    const nul = value.indexOf('\0')
    if (nul !== -1) {
      throw new BashError(
        'ERR_INVALID_INPUT',
        `${field}.${name}: must not contain NUL (got one at index ${nul})`,
      )
    }
    if (!fits(name, value)) {
      throw new BashError(
        'ERR_INVALID_INPUT',
        `${field}.${name}: must be at most ${maxEntryBytes} bytes as NAME=value (got ${entryBytes(name, value)})`,
      )
    }
  }
}

// A UTF-16 unit takes three bytes of UTF-8 at most: only a very long value has to be measured.
function fits(name: string, value: string): boolean {
  return 3 * (name.length + value.length) < maxEntryBytes || entryBytes(name, value) <= maxEntryBytes
}

function entryBytes(name: string, value: string): number {
  return Buffer.byteLength(name) + 1 + Buffer.byteLength(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
