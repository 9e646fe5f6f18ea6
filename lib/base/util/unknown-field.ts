// Messages for unknown fields: what was probably meant, where it belongs, and which fields there are.

import { BashError } from '../errors.js'
import { nearest } from './nearest.js'

/**
 * Knows a field by another name, which it gets in small letters and without `_` and `-`.
 *
 * @returns the allowed field that is meant, or a clause that says where it belongs
 */
export type FieldHint = (word: string) => string | undefined

/** A hint for fields that users of other libraries know by other names, which are in small letters and without `_`. */
export function synonymHint(synonyms: Readonly<Record<string, readonly string[]>>): FieldHint {
  return (word) =>
    Object.keys(synonyms).find((name) => name.toLowerCase() === word || synonyms[name]?.includes(word))
}

/** An ERR_INVALID_INPUT such as `context.sandBox: unknown field; did you mean sandbox? (allowed: workingDir, …)`. */
export function unknownField(
  field: string,
  key: string,
  allowed: readonly string[],
  hintFor: FieldHint = () => undefined,
): BashError {
  const word = squeeze(key)
  const hint = hintFor(word) ?? nearestField(word, allowed)
  const clause = hint === undefined ? '' : `; ${allowed.includes(hint) ? `did you mean ${hint}?` : hint}`
  return new BashError(
    'ERR_INVALID_INPUT',
    `${field}.${key}: unknown field${clause} (allowed: ${allowed.join(', ')})`,
  )
}

function nearestField(word: string, allowed: readonly string[]): string | undefined {
  const meant = nearest(word, allowed.map(squeeze))
  return allowed.find((name) => squeeze(name) === meant)
}

function squeeze(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}
