// The arguments that words expand to, as far as text and scope tell. A word may have several possible expansions.

import { unknownText } from '../rule.js'
import { type Element, maxValues } from '../scope.js'
import type { Word, WordPart } from '../script/script.js'
import { expandBraces, mayHaveBraces } from './braces.js'
import { type Field, FieldBuilder, literalField, type Origin } from './field.js'
import { elementsOf, joined, readTilde, type Surroundings, unknownElements, valuesOf } from './values.js'

/** The possible expansions of a word, each a list of arguments: one at least. */
export type Expansions = readonly (readonly Field[])[]

/** Unquoted text that expands to itself. */
const plain = /^[^~{}*?[\]()\\|\n\u{FDD0}]*$/u

/** Parts of all possible expansions of a word together. */
const maxChosenParts = 100_000

/** Where the words' expansions have more combinations, all possible arguments are taken at once. */
const maxCombinations = 32

/** Words between two offers to pause. */
const wordsPerStep = 512

/** The arguments of a command. Offers to pause where there are many words. */
export function* expandWords(
  words: readonly Word[],
  surroundings: Surroundings,
): Generator<undefined, Expansions, unknown> {
  // Words with several expansions, and between them the arguments that are certain.
  const pieces: Expansions[] = []
  let certain: Field[] = []
  for (const [index, word] of words.entries()) {
    if (index % wordsPerStep === wordsPerStep - 1) yield undefined
    const expansions = expandWord(word, surroundings)
    const [only, another] = expansions
    if (only !== undefined && another === undefined) {
      for (const field of only) certain.push(field)
      continue
    }
    pieces.push([certain], expansions)
    certain = []
  }
  return pieces.length === 0 ? [certain] : concatenate([...pieces, [certain]])
}

export function expandWord(word: Word, surroundings: Surroundings): Expansions {
  const { parts } = word
  const [part] = parts
  const origin = surroundings.originOf(word)
  if (parts.length === 1 && part?.kind === 'literal' && (part.quoted || plain.test(part.text))) {
    return [[literalField(part.text, origin)]]
  }
  if (!mayHaveBraces(parts)) return expandParts(parts, origin, surroundings)
  const variants = expandBraces(parts, surroundings.budget.expansions)
  surroundings.budget.expansions -= variants.length
  return concatenate(variants.map((variant) => expandParts(variant, origin, surroundings)))
}

function concatenate(pieces: readonly Expansions[]): Expansions {
  const combinations = pieces.reduce((count, { length }) => Math.min(count * length, maxCombinations + 1), 1)
  if (combinations > maxCombinations) return [pieces.flatMap((piece) => piece.flat())]
  return Array.from({ length: combinations }, (_, combination) => {
    let rest = combination
    return pieces.flatMap((piece) => {
      const fields = piece[rest % piece.length] ?? []
      rest = Math.floor(rest / piece.length)
      return fields
    })
  })
}

/** The elements that an array has after an assignment. */
export function assignedElements(
  name: string,
  append: boolean,
  words: readonly Word[],
  surroundings: Surroundings,
): readonly Element[] {
  const elements = words.flatMap((word) => expandWord(word, surroundings).flat())
  return append ? [...(surroundings.scope.elements(name) ?? unknownElements), ...elements] : elements
}

function expandParts(parts: readonly WordPart[], origin: Origin, surroundings: Surroundings): Expansions {
  const values = parts.map((part) =>
    part.kind === 'literal' || part.kind === 'elements' ? undefined : valuesOf(part, surroundings),
  )
  const expansions = choices(values, surroundings.budget.expansions)
  surroundings.budget.expansions -= expansions.length - 1
  const isPath = parts.some((part) => part.kind === 'literal' && part.text.includes('/'))
  return expansions.map((chosen) => {
    const builder = new FieldBuilder(origin, surroundings.scope)
    for (const [index, part] of parts.entries()) {
      const value = chosen[index] ?? unknownText
      if (isPath && isUnknown(value) && isUnset(part, surroundings)) builder.noteUnset(value, [part.name])
      if (part.kind === 'literal')
        addLiteral(builder, part, index === 0, index === parts.length - 1, surroundings)
      else if (part.kind === 'substitution' && part.process) builder.addProcess(part.items)
      else if (part.kind === 'elements') addElements(builder, part, surroundings)
      // `"$@"` is a word for each argument, and only that.
      else if (part.quoted && !(part.kind === 'variable' && part.name === '@')) builder.addQuoted(value)
      else builder.addSplit(value)
    }
    builder.finish()
    return builder.fields
  })
}

/** Every choice of one value for each part that has some; of too many, only those that differ in one part. */
function choices(
  values: readonly (readonly string[] | undefined)[],
  budget: number,
): (string | undefined)[][] {
  const first = values.map((options) => options?.[0])
  const limit = Math.min(maxValues, budget, Math.floor(maxChosenParts / values.length))
  let lists = [first]
  for (const [index, options] of values.entries()) {
    if (options === undefined || options.length < 2 || lists.length >= limit) continue
    const base = lists.length * options.length > limit ? [first] : lists
    const others = options.slice(1, limit).flatMap((value) => base.map((list) => list.with(index, value)))
    lists = [...lists, ...others.slice(0, limit - lists.length)]
  }
  return lists
}

/** Nothing of it is known. */
function isUnknown(value: string): boolean {
  return value === unknownText || (value.startsWith(unknownText) && /^\u{FDD0}+$/u.test(value))
}

/** Whether it is a variable, or what is cut from one, that may be empty because nothing sets it. */
function isUnset(part: WordPart, surroundings: Surroundings): part is WordPart & { kind: 'variable' } {
  if (part.kind !== 'variable' || (part.operator !== '' && part.operator !== 'other')) return false
  return surroundings.leavesUnset(part.name)
}

function addLiteral(
  builder: FieldBuilder,
  { text, quoted }: WordPart & { kind: 'literal' },
  isFirst: boolean,
  isLast: boolean,
  { scope, unsetInText }: Surroundings,
): void {
  if (unsetInText !== undefined) builder.noteUnset(text, unsetInText)
  if (quoted) {
    builder.addQuoted(text)
    return
  }
  const tilde = isFirst ? readTilde(text, isLast, scope) : undefined
  if (tilde !== undefined) builder.addQuoted(tilde.directory)
  builder.addUnquoted(tilde === undefined ? text : tilde.rest)
}

function addElements(
  builder: FieldBuilder,
  part: WordPart & { kind: 'elements' },
  surroundings: Surroundings,
): void {
  const elements = elementsOf(part, surroundings)
  if (!part.quoted) {
    for (const [index, { text }] of elements.entries()) {
      if (index > 0) builder.finish()
      builder.addSplit(text)
    }
  } else if (part.subscript === '@') builder.addElements(elements)
  else builder.addQuoted(joined(elements))
}
