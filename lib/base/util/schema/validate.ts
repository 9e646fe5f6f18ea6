// Checks a value against a schema, synchronously, and says what is wrong in words that a model can act on.

import { BashError } from '../../errors.js'
import type { InputOf, JsonSchema, NumberSchema, PropertySchema, StringSchema } from './json-schema.js'
import { preview } from './preview.js'

/** `StandardSchemaV1.Issue`, see standard-schema.ts. */
export interface StandardIssue {
  /** Names the property, what is allowed and what came: `mode: must be one of a, b (got "c")`. */
  readonly message: string
  /** The property concerned; empty for the input as a whole. */
  readonly path: readonly string[]
}

export type Validation<Value> = { ok: true; value: Value } | { ok: false; issues: StandardIssue[] }

/**
 * Validates with the semantics of JSON Schema (a test compares them with ajv), and for values that JSON does not have:
 * a property given as undefined is absent, as in JSON.stringify; only own enumerable properties with string names
 * count; NaN and infinities are not numbers. Each property is read once. Never throws.
 *
 * @returns a new plain object with the properties that are present, or all issues: first those of known properties in
 *   the schema's order, then the unknown ones
 */
export function validate<Schema extends JsonSchema>(
  schema: Schema,
  input: unknown,
): Validation<InputOf<Schema>> {
  const received = readObject(input)
  if ('issue' in received) return { ok: false, issues: [received.issue] }

  const issues: StandardIssue[] = []
  const values: [string, unknown][] = []
  for (const [name, property] of Object.entries(schema.properties)) {
    const entry = received.entries.get(name)
    if (entry === undefined) {
      if (schema.required?.includes(name)) issues.push({ path: [name], message: `${name}: is required` })
      continue
    }
    const complaint = entry.readable ? checkProperty(property, entry.value) : 'cannot be read'
    if (complaint === undefined) values.push([name, entry.value])
    else issues.push({ path: [name], message: `${name}: ${complaint}` })
  }
  const allowed = Object.keys(schema.properties).join(', ')
  for (const name of received.entries.keys()) {
    if (Object.hasOwn(schema.properties, name)) continue
    const message = `${showName(name)}: is not a known property (allowed: ${allowed})`
    issues.push({ path: [name], message })
  }
  if (issues.length > 0) return { ok: false, issues }
  // fromEntries defines, where an assignment to __proto__ would set the prototype.
  return { ok: true, value: Object.fromEntries(values) as InputOf<Schema> }
}

/** @throws {BashError} ERR_INVALID_INPUT with a message for each field */
export function validInput<Schema extends JsonSchema>(schema: Schema, input: unknown): InputOf<Schema> {
  const validation = validate(schema, input)
  if (validation.ok) return validation.value
  throw new BashError('ERR_INVALID_INPUT', validation.issues.map(({ message }) => message).join('; '))
}

interface Entry {
  value: unknown
  /** False when reading it threw. */
  readable: boolean
}

/** Reads the properties of an object that may be a proxy or have getters, and may throw at every step. */
function readObject(input: unknown): { entries: Map<string, Entry> } | { issue: StandardIssue } {
  try {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { issue: { path: [], message: `input: must be an object (got ${preview(input)})` } }
    }
    const entries = new Map<string, Entry>()
    for (const name of Object.keys(input)) {
      const entry = readEntry(input, name)
      if (entry.value !== undefined || !entry.readable) entries.set(name, entry)
    }
    return { entries }
  } catch {
    return { issue: { path: [], message: 'input: must be an object whose properties can be read' } }
  }
}

function readEntry(object: object, name: string): Entry {
  try {
    return { value: (object as Record<string, unknown>)[name], readable: true }
  } catch {
    return { value: undefined, readable: false }
  }
}

/** What is wrong with a value, or undefined. */
function checkProperty(property: PropertySchema, value: unknown): string | undefined {
  const unmet = unmetRequirement(property, value)
  return unmet === undefined ? undefined : `${unmet} (got ${preview(value)})`
}

function unmetRequirement(property: PropertySchema, value: unknown): string | undefined {
  if (property.type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean'
  if (property.type === 'array') return areStrings(value) ? undefined : 'must be an array of strings'
  const allowed: readonly unknown[] | undefined = property.enum
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`
  return property.type === 'string' ? unmetByString(property, value) : unmetByNumber(property, value)
}

function unmetByString({ minLength = 0 }: StringSchema, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (hasLength(value, minLength)) return undefined
  return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
}

function unmetByNumber({ type, minimum, maximum }: NumberSchema, value: unknown): string | undefined {
  const isOfType = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)
  if (isOfType && (value as number) >= (minimum ?? -Infinity) && (value as number) <= (maximum ?? Infinity)) {
    return undefined
  }
  const noun = type === 'integer' ? 'an integer' : 'a number'
  if (minimum !== undefined && maximum !== undefined) return `must be ${noun} from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `must be ${noun} of at least ${minimum}`
  return maximum === undefined ? `must be ${noun}` : `must be ${noun} of at most ${maximum}`
}

/** Reading it may throw, as of a proxy. */
function areStrings(value: unknown): boolean {
  try {
    return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string')
  } catch {
    return false
  }
}

/** Whether `text` has so many code points. A command of megabytes is not walked through for a small number. */
function hasLength(text: string, minLength: number): boolean {
  return text.length >= 2 * minLength || Array.from(text).length >= minLength
}

/** Names that would not be readable in a list are shown as JSON. */
function showName(name: string): string {
  return /^[\w.$-]{1,60}$/.test(name) ? name : preview(name)
}
