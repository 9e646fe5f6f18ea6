// What the commands of a script print together, and what one of them reads from its standard input.

import { expandText, type Surroundings } from './expansion/values.js'
import { unknownText } from './rule.js'
import type { Command, Item, ItemRange, Redirect, Span, Word } from './script/script.js'
import { inputRedirect } from './script/script.js'
import type { InputText } from './wrappers/payload.js'

/** The texts that something may print; undefined: not known. */
export type Output = readonly string[] | undefined

/**
 * What the commands of a range print together.
 *
 * @param outputs what each of the items prints
 */
export function joinOutputs(
  items: readonly Item[],
  outputs: readonly Output[],
  { from, to }: ItemRange,
): Output {
  const parts: Output[] = []
  for (let index = to - 1; index >= from; ) {
    parts.push(outputs[index])
    index = firstItemOf(items[index], index) - 1
  }
  const [only] = parts
  if (parts.length === 1 || parts.every((part) => part === undefined)) return only
  return [
    parts
      .reverse()
      .map((part) => part?.[0] ?? `${unknownText}\n`)
      .join(''),
  ]
}

/** The lowest index of the items that run for this one: in its substitutions, and before it in its pipeline. */
function firstItemOf(item: Item | undefined, index: number): number {
  if (item === undefined) return index
  if (item.kind === 'for') return firstInWords(item.words ?? [], index)
  const { words, assignments, redirects, input } = item
  const before = input?.kind === 'pipe' ? Math.min(index, input.items.from) : index
  const values = assignments.flatMap(({ value }) => value ?? [])
  const targets = redirects.map(({ target }) => target)
  return firstInWords([...words, ...values, ...targets], before)
}

function firstInWords(words: readonly Word[], before: number): number {
  let first = before
  for (const { parts } of words) {
    for (const part of parts) {
      if (part.kind === 'substitution') first = Math.min(first, part.items.from)
      else if (part.kind === 'variable' && part.operand) first = firstInWords([part.operand], first)
    }
  }
  return first
}

/** What a script stands in, and what it may read itself. */
interface Outside {
  /** Where in the original command it stands; undefined: it is the original command. */
  place: Span | undefined
  input: () => InputText | undefined
}

/** What a command may read from its standard input; undefined: not known. */
export function inputOf(
  { redirects, input }: Command,
  items: readonly Item[],
  outside: Outside,
  surroundings: Surroundings,
): InputText | undefined {
  const redirect = inputRedirect(redirects) ?? (input?.kind === 'redirect' ? input.redirect : undefined)
  if (redirect) return redirected(redirect, outside, surroundings)
  if (input?.kind !== 'pipe') return outside.input()
  const texts = surroundings.outputOf(input.items)
  const first = items[input.items.from]
  const last = items[input.items.to - 1]
  if (texts === undefined || first === undefined || last === undefined) return undefined
  const { start, end } = outside.place ?? { start: first.start, end: last.end }
  return { texts, start, end }
}

function redirected(
  { operator, target }: Redirect,
  { place }: Outside,
  surroundings: Surroundings,
): InputText | undefined {
  const { start, end } = place ?? target
  const [part] = target.parts
  switch (operator) {
    case '<<':
    case '<<-':
      return { texts: expandText(target, surroundings), start, end }
    case '<<<':
      return { texts: expandText(target, surroundings).map((text) => `${text}\n`), start, end }
    case '<': {
      const isProcess = part?.kind === 'substitution' && part.process
      const texts = isProcess ? surroundings.outputOf(part.items) : undefined
      return texts && { texts, start, end }
    }
    default:
      return undefined
  }
}
