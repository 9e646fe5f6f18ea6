// How the table says what of a program is known to only read.

import type { Check } from '../objection.js'
import type { OptionForm } from '../option-form.js'

/**
 * - `'any'`: whatever its options and operands are.
 * - options and operands as the form allows, and as `check` does of what fits.
 * - a function, where a program has a language of its own.
 */
export type ReadOnlyForm = 'any' | OptionForm | Check

export type ReadOnlyTable = ReadonlyMap<string, ReadOnlyForm>

/** Names for {@link OptionForm.long}. */
export const names = (text: string): string[] => text.trim().split(/\s+/)
