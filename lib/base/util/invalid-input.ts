// The error for bad input, and the checks that raise it: each names the field, what is allowed, and what came.

import { BashError } from '../errors.js'
import { preview } from './schema/preview.js'
import { type FieldHint, unknownField } from './unknown-field.js'

/** An ERR_INVALID_INPUT such as `timeout: must be an integer from 1 to 600000 milliseconds (got 0)`. */
export function invalidInput(field: string, requirement: string, received: unknown): BashError {
  return new BashError('ERR_INVALID_INPUT', `${field}: ${requirement} (got ${preview(received)})`)
}

/** @param unit follows the range in the message, such as `'milliseconds'` */
export function checkInteger(
  field: string,
  value: unknown,
  [minimum, maximum]: readonly [number, number],
  unit = '',
): number {
  if (!Number.isInteger(value) || (value as number) < minimum || (value as number) > maximum) {
    const range = `must be an integer from ${minimum} to ${maximum}`
    throw invalidInput(field, unit === '' ? range : `${range} ${unit}`, value)
  }
  return value as number
}

type Checkable = boolean | string | ((...args: never[]) => unknown)

type NameOf<Type> = Type extends boolean ? 'boolean' : Type extends string ? 'string' : 'function'

/** An absent value is of any type. */
export function checkType<Type extends Checkable>(
  field: string,
  value: unknown,
  type: NameOf<Type>,
): Type | undefined {
  if (value !== undefined && typeof value !== type) throw invalidInput(field, `must be a ${type}`, value)
  return value as Type | undefined
}

/** An absent flag is false. */
export function checkFlag(field: string, value: unknown): boolean {
  return checkType<boolean>(field, value, 'boolean') ?? false
}

/** The value, or the first of the allowed ones when it is absent. */
export function checkOneOf<const Allowed extends readonly [string, ...string[]]>(
  field: string,
  value: unknown,
  allowed: Allowed,
): Allowed[number] {
  if (value === undefined) return allowed[0]
  if (!(allowed as readonly unknown[]).includes(value)) {
    throw invalidInput(field, `must be one of ${allowed.join(', ')}`, value)
  }
  return value as Allowed[number]
}

/**
 * The allowed fields that an object has, its own and those of its class or prototype, each read once; without `allowed`
 * the object itself. A field that is misspelt must not be ignored, wherever it stands: less would be done than was asked.
 *
 * @param hintFor knows what is meant by other keys
 * @throws {BashError} ERR_INVALID_INPUT when `value` is no object, or has a field that is not allowed
 */
export function checkObject(
  field: string,
  value: unknown,
  allowed?: readonly string[],
  hintFor?: FieldHint,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(field, 'must be an object', value)
  }
  const object = value as Record<string, unknown>
  if (allowed === undefined) return object
  for (const key of Object.getOwnPropertyNames(object)) {
    if (!allowed.includes(key)) throw unknownField(field, key, allowed, hintFor)
  }
  const prototype: object | null = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype) {
    for (const key of inheritedFields(prototype)) {
      if (!allowed.includes(key)) throw unknownField(field, key, allowed, hintFor)
    }
  }
  const fields: Record<string, unknown> = {}
  for (const name of allowed) if (name in object) fields[name] = object[name]
  return fields
}

/** Methods are none, nor is anything that every object has: in a vm context, too. */
function* inheritedFields(first: object | null): Generator<string, void, undefined> {
  let prototype = first
  while (prototype !== null && !Object.hasOwn(prototype, 'isPrototypeOf')) {
    for (const [key, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (get !== undefined || set !== undefined || typeof value !== 'function') yield key
    }
    prototype = Object.getPrototypeOf(prototype)
  }
}

/** By shape: jest and vm contexts have an AbortSignal of their own. */
export function checkAbortSignal(field: string, value: unknown): AbortSignal | undefined {
  const signal = value as Partial<AbortSignal> | null | undefined
  const fits =
    value === undefined ||
    (typeof signal === 'object' &&
      typeof signal?.aborted === 'boolean' &&
      typeof signal.addEventListener === 'function' &&
      typeof signal.removeEventListener === 'function')
  if (!fits) throw invalidInput(field, 'must be an AbortSignal', value)
  return value as AbortSignal | undefined
}

export function checkAbsolutePath(field: string, value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.includes('\0')) {
    throw invalidInput(field, 'must be an absolute path', value)
  }
  return value
}
