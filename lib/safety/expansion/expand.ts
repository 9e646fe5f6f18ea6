// What words expand to, as far as their text and the scope tell. A word may have several possible expansions.

import { type Budget, elementCost } from '../budget.js'
import { unknownText } from '../rule.js'
import { type Element, maxValues, type Scope } from '../scope.js'
import type { Assignment, ItemRange, Word, WordPart } from '../script/script.js'
import { expandBraces, mayHaveBraces } from './braces.js'
import { type Field, FieldBuilder, literalField, type Origin } from './field.js'
import { withoutFinalNewlines } from './output.js'
import { expandTilde } from './tilde.js'

/** What expansion asks the examination of the script. */
export interface Surroundings {
  scope: Scope
  originOf(word: Word): Origin
  /** What commands may print; null: not known. */
  outputOf(items: ItemRange): readonly string[] | null
  /** Whether a variable is there only if the environment has it. */
  leavesUnset(name: string): boolean
  readonly budget: Budget
  /** The variables which the unknown parts of the script's own text are, if nothing sets or tests them; null: others. */
  readonly unsetInText: readonly string[] | null
}

/** The possible expansions of a word, each a list of arguments: one at least. */
export type Expansions = readonly (readonly Field[])[]

type ElementsPart = WordPart & { kind: 'elements' }

/** What nothing happens to outside quotes. */
const plain = /^[^~{}*?[\]()\\|\n\u{FDD0}]*$/u

const unknownValue: readonly string[] = [unknownText]

/** UTF-16 code units of a text that is put together from expansions. */
const maxTextLength = 1_048_576

/** Parts of all possible expansions of a word together. */
const maxChosenParts = 100_000

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

/** Of more combinations of the words' expansions all possible arguments are taken at once. */
const maxCombinations = 32

/** Expands the words of a command one after the other: of many, some at a time. */
export class WordExpander {
  /** Those of single words that have several, and between them what is certain. */
  private readonly pieces: Expansions[] = []
  private certain: Field[] = []

  constructor(private readonly surroundings: Surroundings) {}

  add(word: Word): void {
    const expansions = expandWord(word, this.surroundings)
    if (expansions.length === 1) {
      for (const field of expansions[0] as readonly Field[]) this.certain.push(field)
      return
    }
    this.pieces.push([this.certain], expansions)
    this.certain = []
  }

  /** The arguments of the command. */
  finish(): Expansions {
    return this.pieces.length === 0 ? [this.certain] : concatenate([...this.pieces, [this.certain]])
  }
}

function concatenate(pieces: readonly Expansions[]): Expansions {
  const combinations = pieces.reduce((count, { length }) => Math.min(count * length, maxCombinations + 1), 1)
  if (combinations > maxCombinations) return [pieces.flatMap((piece) => piece.flat())]
  return Array.from({ length: combinations }, (_, combination) => {
    let rest = combination
    return pieces.flatMap((piece) => {
      const fields = piece[rest % piece.length] as readonly Field[]
      rest = Math.floor(rest / piece.length)
      return fields
    })
  })
}

/** What a word may be where nothing is split and no pattern counts, such as a value or a here-document. */
export function expandText(
  { parts }: Word,
  surroundings: Surroundings,
  { tilde = false } = {},
): readonly string[] {
  let texts: readonly string[] = ['']
  for (const [index, part] of parts.entries()) {
    texts = combine(texts, textOf(part, surroundings, tilde && index === 0, index === parts.length - 1))
  }
  return texts
}

/** The values that a variable has after an assignment; null: not known. */
export function assignedValues(
  { name, append, value }: Assignment,
  surroundings: Surroundings,
): readonly string[] | null {
  if (value === null) return null
  const values = expandText(value, surroundings, { tilde: true })
  if (!append) return values
  const before = surroundings.scope.values(name)
  return before === null ? null : combine(before, values)
}

function textOf(
  part: WordPart,
  surroundings: Surroundings,
  isFirst: boolean,
  isLast: boolean,
): readonly string[] {
  if (part.kind !== 'literal') return valuesOf(part, surroundings)
  const tilde = isFirst && !part.quoted ? expandTilde(part.text, isLast, surroundings.scope) : null
  return [tilde === null ? part.text : tilde.value + part.text.slice(tilde.length)]
}

function expandParts(parts: readonly WordPart[], origin: Origin, surroundings: Surroundings): Expansions {
  const values = parts.map((part) =>
    part.kind === 'literal' || part.kind === 'elements' ? null : valuesOf(part, surroundings),
  )
  const expansions = choices(values, surroundings.budget.expansions)
  surroundings.budget.expansions -= expansions.length - 1
  const isPath = parts.some((part) => part.kind === 'literal' && part.text.includes('/'))
  return expansions.map((chosen) => {
    const builder = new FieldBuilder(origin, surroundings.scope)
    for (const [index, part] of parts.entries()) {
      const value = chosen[index] ?? null
      if (isPath && isUnknown(value) && isUnset(part, surroundings)) builder.noteUnset(value, [part.name])
      if (part.kind === 'literal')
        addLiteral(builder, part, index === 0, index === parts.length - 1, surroundings)
      else if (part.kind === 'substitution' && part.process) builder.addProcess(part.items)
      else if (part.kind === 'elements') addElements(builder, part, surroundings)
      else if (part.quoted && !isArguments(part)) builder.addQuoted(value ?? unknownText)
      else builder.addSplit(value ?? unknownText)
    }
    builder.finish()
    return builder.fields
  })
}

/** Nothing of it is known. */
function isUnknown(value: string | null): value is string {
  return value === unknownText || (value?.startsWith(unknownText) === true && /^\u{FDD0}+$/u.test(value))
}

/** Whether a variable may be empty because nothing sets it, or what is cut off it. */
function isUnset(part: WordPart, surroundings: Surroundings): part is WordPart & { kind: 'variable' } {
  if (part.kind !== 'variable' || (part.operator !== '' && part.operator !== 'other')) return false
  return surroundings.leavesUnset(part.name)
}

/** `"$@"` is a word for each argument, and only that. */
function isArguments(part: WordPart): boolean {
  return part.kind === 'variable' && part.name === '@'
}

function addLiteral(
  builder: FieldBuilder,
  { text, quoted }: WordPart & { kind: 'literal' },
  isFirst: boolean,
  isLast: boolean,
  { scope, unsetInText }: Surroundings,
): void {
  if (unsetInText !== null) builder.noteUnset(text, unsetInText)
  if (quoted) {
    builder.addQuoted(text)
    return
  }
  const tilde = isFirst ? expandTilde(text, isLast, scope) : null
  if (tilde !== null) builder.addQuoted(tilde.value)
  builder.addUnquoted(tilde === null ? text : text.slice(tilde.length))
}

/** What is not known may be several words, or none. */
const unknownElements: readonly Element[] = [{ text: unknownText, pattern: null }]

function addElements(builder: FieldBuilder, part: ElementsPart, surroundings: Surroundings): void {
  const elements = elementsOf(part, surroundings)
  if (!part.quoted) {
    for (const [index, { text }] of elements.entries()) {
      if (index > 0) builder.finish()
      builder.addSplit(text)
    }
  } else if (part.subscript === '@') builder.addElements(elements)
  else builder.addQuoted(joined(elements))
}

function elementsOf({ name, subscript }: ElementsPart, { scope, budget }: Surroundings): readonly Element[] {
  const elements = scope.elements(name)
  if (elements === null) return unknownElements
  for (const { text } of elements) budget.text -= text.length + elementCost
  if (budget.text < 0) return unknownElements
  if (typeof subscript === 'string') return elements
  // Elements may be several, or none.
  const areCounted = elements.every(({ text, pattern }) => text !== unknownText && pattern === null)
  if (!areCounted && subscript !== 0) return unknownElements
  const element = elements.at(subscript)
  return element === undefined ? [] : [element]
}

function joined(elements: readonly Element[]): string {
  return elements.map(({ text }) => text).join(' ')
}

/** The elements that an array has after an assignment; null: not known. */
export function assignedElements(
  name: string,
  append: boolean,
  words: readonly Word[],
  surroundings: Surroundings,
): readonly Element[] {
  const elements = words.flatMap((word) => expandWord(word, surroundings).flat())
  return append ? [...(surroundings.scope.elements(name) ?? unknownElements), ...elements] : elements
}

/** Every choice of one value for each part that has some; of too many, only those that differ in one part. */
function choices(values: readonly (readonly string[] | null)[], budget: number): (string | null)[][] {
  const first = values.map((options) => options?.[0] ?? null)
  const limit = Math.min(maxValues, budget, Math.floor(maxChosenParts / values.length))
  let lists = [first]
  for (const [index, options] of values.entries()) {
    if (options === null || options.length < 2 || lists.length >= limit) continue
    const base = lists.length * options.length > limit ? [first] : lists
    const others = options.slice(1, limit).flatMap((value) => base.map((list) => list.with(index, value)))
    lists = [...lists, ...others.slice(0, limit - lists.length)]
  }
  return lists
}

/** The values that a part other than a literal may have. */
function valuesOf(part: WordPart, surroundings: Surroundings): readonly string[] {
  switch (part.kind) {
    case 'variable':
      return variableValues(part, surroundings)
    case 'elements':
      return [joined(elementsOf(part, surroundings))]
    case 'substitution':
      return (
        (part.process ? null : surroundings.outputOf(part.items)?.map(withoutFinalNewlines)) ?? unknownValue
      )
    default:
      return unknownValue
  }
}

function variableValues(
  { name, operator, operand }: WordPart & { kind: 'variable' },
  surroundings: Surroundings,
): readonly string[] {
  const known = surroundings.scope.values(name)
  const values = known ?? unknownValue
  for (const { length } of values) surroundings.budget.text -= length
  if (surroundings.budget.text < 0) return unknownValue
  if (operator === '' || operator === '?' || operator === ':?') return values
  // Most probably without a slash at its end: `${HOME%/}`.
  if (operator === 'other' && name === 'HOME') return merge(unknownValue, values)
  // One of them: `${IFS:0:1}`.
  if (operator === 'other' && name === 'IFS') return values
  if (operator === 'other' || operand === null) return unknownValue
  const operands = expandText(operand, surroundings, { tilde: true })
  const result = choose(known, operator, operands)
  if (operator.endsWith('=')) surroundings.scope.assign(name, result)
  return result
}

/** What `${NAME:-OPERAND}` and the like may be. */
function choose(
  known: readonly string[] | null,
  operator: string,
  operands: readonly string[],
): readonly string[] {
  const values = known ?? unknownValue
  // What is not known may be empty, and not set.
  const isUnset = (value: string) => value === unknownText || (operator.startsWith(':') && value === '')
  const set = values.filter((value) => value === unknownText || !isUnset(value))
  const unset = values.some(isUnset)
  if (operator.endsWith('+')) return merge(set.length > 0 ? operands : [], unset ? [''] : [])
  return merge(set, unset ? operands : [])
}

function merge(some: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...some, ...more])].slice(0, maxValues)
}

/** Every text followed by every continuation. */
function combine(texts: readonly string[], continuations: readonly string[]): readonly string[] {
  if (texts.length * continuations.length > maxValues) return unknownValue
  return texts.flatMap((text) =>
    continuations.map((more) => (text.length + more.length > maxTextLength ? unknownText : text + more)),
  )
}
