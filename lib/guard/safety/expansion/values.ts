// What the parts of words may stand for, as far as their text and the scope tell: texts, and the elements of arrays.

import { type Budget, elementCost } from '../budget.js'
import { unknownText } from '../rule.js'
import { type Element, maxValues, type Scope } from '../scope.js'
import type { Assignment, ItemRange, Word, WordPart } from '../script/script.js'
import type { Origin } from './field.js'

/** What expansion asks the examination of the script. */
export interface Surroundings {
  readonly scope: Scope
  readonly budget: Budget
  /** The variables which the unknown parts of the script's own text are, if nothing sets or tests them. */
  readonly unsetInText: readonly string[] | undefined
  originOf(word: Word): Origin
  /** What commands may print; undefined: not known. */
  outputOf(items: ItemRange): readonly string[] | undefined
  /** Whether a variable is there only if the environment has it. */
  leavesUnset(name: string): boolean
}

type ElementsPart = WordPart & { kind: 'elements' }

const unknownValue: readonly string[] = [unknownText]

/** What is not known may be several words, or none. */
export const unknownElements: readonly Element[] = [{ text: unknownText, pattern: null }]

/** UTF-16 code units of a text that is put together from expansions. */
const maxTextLength = 1_048_576

/** What a word may be where nothing is split and no pattern counts, such as a value or a here-document. */
export function expandText(
  { parts }: Word,
  surroundings: Surroundings,
  { tilde = false } = {},
): readonly string[] {
  let texts: readonly string[] = ['']
  for (const [index, part] of parts.entries()) {
    const mayBeTilde = tilde && index === 0 && part.kind === 'literal' && !part.quoted
    const prefix = mayBeTilde ? readTilde(part.text, parts.length === 1, surroundings.scope) : undefined
    texts = combine(texts, prefix ? [prefix.directory + prefix.rest] : valuesOf(part, surroundings))
  }
  return texts
}

/** The values that a variable has after an assignment; undefined: not known. */
export function assignedValues(
  { name, append, value }: Assignment,
  surroundings: Surroundings,
): readonly string[] | undefined {
  if (!value) return undefined
  const values = expandText(value, surroundings, { tilde: true })
  if (!append) return values
  const before = surroundings.scope.values(name)
  return before && combine(before, values)
}

/** The values that a part may have. */
export function valuesOf(part: WordPart, surroundings: Surroundings): readonly string[] {
  switch (part.kind) {
    case 'literal':
      return [part.text]
    case 'variable':
      return variableValues(part, surroundings)
    case 'elements':
      return [joined(elementsOf(part, surroundings))]
    case 'substitution': {
      const output = part.process ? undefined : surroundings.outputOf(part.items)
      return output?.map(withoutFinalNewlines) ?? unknownValue
    }
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
  // Most probably cuts a slash off the end: `${HOME%/}`.
  if (operator === 'other' && name === 'HOME') return merge(unknownValue, values)
  // One of them: `${IFS:0:1}`.
  if (operator === 'other' && name === 'IFS') return values
  if (operator === 'other' || !operand) return unknownValue
  const result = choose(values, operator, expandText(operand, surroundings, { tilde: true }))
  if (operator.endsWith('=')) surroundings.scope.assign(name, result)
  return result
}

/** What `${NAME:-OPERAND}` and the like may be. */
function choose(values: readonly string[], operator: string, operands: readonly string[]): readonly string[] {
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

/** The elements that `"${NAME[@]}"` and the like stand for. */
export function elementsOf(
  { name, subscript }: ElementsPart,
  { scope, budget }: Surroundings,
): readonly Element[] {
  const elements = scope.elements(name)
  if (elements === undefined) return unknownElements
  for (const { text } of elements) budget.text -= text.length + elementCost
  if (budget.text < 0) return unknownElements
  if (typeof subscript === 'string') return elements
  // Elements may be several, or none.
  const areCounted = elements.every(({ text, pattern }) => text !== unknownText && pattern === null)
  if (!areCounted && subscript !== 0) return unknownElements
  const element = elements.at(subscript)
  return element === undefined ? [] : [element]
}

/** The elements as one text. */
export function joined(elements: readonly Element[]): string {
  return elements.map(({ text }) => text).join(' ')
}

/** A substitution drops them. */
function withoutFinalNewlines(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

/**
 * The directory that the tilde-prefix of a word stands for, and what follows it; undefined: there is none (bash manual,
 * "Tilde Expansion").
 *
 * @param text the unquoted literal that the word begins with
 * @param isWhole whether the word ends there
 */
export function readTilde(
  text: string,
  isWhole: boolean,
  scope: Scope,
): { directory: string; rest: string } | undefined {
  const [prefix, user] = /^~([^/]*)/.exec(text) ?? []
  if (prefix === undefined || user === undefined) return undefined
  if (prefix.length === text.length && !isWhole) return undefined
  const directory = directoryOf(user, scope)
  return directory === undefined ? undefined : { directory, rest: text.slice(prefix.length) }
}

function directoryOf(user: string, scope: Scope): string | undefined {
  if (user === '') return scope.home ?? unknownText
  if (user === '+') return scope.workingDir ?? unknownText
  if (user === '-') return scope.values('OLDPWD')?.[0] ?? unknownText
  if (user === 'root') return '/root'
  // As nearly everywhere; looking the user up would not tell what it is on another machine.
  return /^[A-Za-z_][\w.-]*$/.test(user) ? `/home/${user}` : undefined
}
