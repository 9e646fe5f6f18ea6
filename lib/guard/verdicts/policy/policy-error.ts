// What is wrong with rules.

import { BashError } from '../../../base/errors.js'
import { preview } from '../../../base/util/schema/preview.js'

/** @param allowed undefined: others do no harm */
export function fieldsOf(
  place: string,
  value: unknown,
  allowed?: readonly string[],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(place, 'must be an object', value)
  }
  for (const key of Object.keys(value)) {
    if (allowed?.includes(key) === false) {
      throw invalid(`${place}.${key}`, `unknown field (allowed: ${allowed.join(', ')})`)
    }
  }
  return value as Record<string, unknown>
}

export function wrong(field: string, must: string, value: unknown): BashError {
  return invalid(field, `${must} (got ${preview(value)})`)
}

export function invalid(field: string, message: string): BashError {
  return new BashError('ERR_POLICY', `${field}: ${message}`)
}
