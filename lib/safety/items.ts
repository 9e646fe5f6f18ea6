// What belongs to an item of a script.

import type { Command, Item, Word } from './script/script.js'

/** The lowest index of the items that run for this one: in its substitutions, and before it in its pipeline. */
export function firstItemOf(item: Item, index: number): number {
  if (item.kind === 'for') return firstInWords(item.words ?? [], index)
  const { words, assignments, redirects, input } = item
  const before = input?.kind === 'pipe' ? Math.min(index, input.items.from) : index
  const values = assignments.flatMap(({ value }) => value ?? [])
  const targets = redirects.map(({ target }) => target)
  return firstInWords(words, firstInWords(values, firstInWords(targets, before)))
}

function firstInWords(words: readonly Word[], before: number): number {
  let first = before
  for (const { parts } of words) {
    for (const part of parts) {
      if (part.kind === 'substitution') first = Math.min(first, part.items.from)
      else if (part.kind === 'variable' && part.operand !== null) first = firstInWords([part.operand], first)
    }
  }
  return first
}

/** Whether standard output does not go where that of the script goes. */
export function writesElsewhere({ redirects }: Command): boolean {
  return redirects.some(
    ({ descriptor, operator }) =>
      (descriptor === 1 || descriptor === null) && (operator.startsWith('>') || operator.startsWith('&>')),
  )
}
