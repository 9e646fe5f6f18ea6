// Options that a table describes: the names that are allowed, how each value is checked, and what it is by default.

import { checkAbsolutePath, checkInteger, checkObject } from './invalid-input.js'
import type { FieldHint } from './unknown-field.js'

/** Gives the value that counts, which is the default for `undefined`. @throws {BashError} ERR_INVALID_INPUT */
type Check<Value> = (field: string, value: unknown) => Value

/** A check for each option of an interface. */
export type Checks<Options> = { readonly [Name in keyof Options]-?: Check<unknown> }

export type Checked<Table extends Readonly<Record<string, Check<unknown>>>> = {
  [Name in keyof Table]: ReturnType<Table[Name]>
}

/** Leaves out the check of an option that is not given. */
export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return (field, value) => (value === undefined ? undefined : check(field, value))
}

/**
 * @param names the options of the table that may be given; the others have their defaults
 * @param hintFor knows what is meant by other names
 * @throws {BashError} ERR_INVALID_INPUT naming the option, what is allowed and what came
 */
export function checkOptions<Table extends Readonly<Record<string, Check<unknown>>>>(
  options: unknown,
  table: Table,
  names: readonly string[],
  hintFor?: FieldHint,
): Checked<Table> {
  const given = checkObject('options', options, names, hintFor)
  const checked: Record<string, unknown> = {}
  for (const name in table) checked[name] = table[name]?.(name, given[name])
  return checked as Checked<Table>
}

/** A directory, and how many bytes of files may be put into it. */
export interface Place {
  directory: string
  maxBytes: number
  /** Nobody has chosen it: where it cannot be used, another one will do. */
  isDefault?: true
}

/** What there is when an option says no more than `true`. */
export interface PlaceDefaults {
  directory(): string
  maxBytes: number
}

/**
 * Checks an option that asks for a place: `true` for the default one, or an object with what differs from that.
 *
 * @param range the smallest and the largest `maxBytes`
 * @throws {BashError} ERR_INVALID_INPUT
 */
export function checkPlace(
  field: string,
  value: unknown,
  defaults: PlaceDefaults,
  range: readonly [minimum: number, maximum: number],
): Place | undefined {
  if (value === undefined || value === false) return undefined
  const place = { directory: defaults.directory(), maxBytes: defaults.maxBytes }
  if (value === true) return place
  const { directory, maxBytes } = checkObject(field, value, ['directory', 'maxBytes'])
  if (directory !== undefined) place.directory = checkAbsolutePath(`${field}.directory`, directory)
  if (maxBytes !== undefined) place.maxBytes = checkInteger(`${field}.maxBytes`, maxBytes, range, 'bytes')
  return place
}
