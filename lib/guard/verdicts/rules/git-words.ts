// The words of a command of git, for the rule about what it discards: options by their names, also abbreviated ones, and
// operands as far as they are known.

import { type Option, type OptionTable, readOptions } from '../../safety/option-words.js'
import { type Argument, unknownText } from '../../safety/rule.js'

export class GitWords {
  readonly #options: readonly Option<Argument>[]
  /** Those before `--`, or all. */
  readonly operands: readonly Argument[]
  /** Those behind `--`. */
  readonly paths: readonly Argument[]

  constructor(words: readonly Argument[], table: OptionTable = {}) {
    const dashes = words.findIndex(({ text }) => text === '--')
    const { options, operands } = readOptions(dashes === -1 ? words : words.slice(0, dashes), table)
    this.#options = options
    this.operands = operands
    this.paths = dashes === -1 ? [] : words.slice(dashes + 1)
  }

  /** All of them. */
  get named(): readonly Argument[] {
    return [...this.operands, ...this.paths]
  }

  /** Whether it has one of these: letters, and names, which may be abbreviated. */
  has(...names: readonly string[]): boolean {
    return this.#options.some(({ name }) => names.some((wanted) => isMeant(name, wanted)))
  }

  /** Whether it has one of these, in full. */
  hasExactly(...names: readonly string[]): boolean {
    return this.#options.some(({ name }) => names.includes(name))
  }

  /** The value of the last such option. */
  value(...names: readonly string[]): string | undefined {
    return this.#options.findLast(({ name }) => names.includes(name))?.value
  }

  values(...names: readonly string[]): string[] {
    return this.#options.flatMap(({ name, value }) => (names.includes(name) ? [value ?? ''] : []))
  }

  count(...names: readonly string[]): number {
    return this.#options.filter(({ name }) => names.includes(name)).length
  }

  /** Whether a word may turn out to be an option, or another sub-command. */
  get mayHaveMore(): boolean {
    const isOpen = ({ text, pattern }: Argument) =>
      text.startsWith(unknownText) || (pattern !== null && /^[*?[]/.test(pattern))
    return this.operands.some(isOpen) || this.#options.some(({ name }) => name.includes(unknownText))
  }
}

/** Abbreviations of one letter are of no option but `-f`. */
const isMeant = (name: string, wanted: string) =>
  name === wanted || (name.length > 1 && wanted.length > 1 && wanted.startsWith(name))

/** Whether it is known to the end. */
export const isCertain = ({ text, pattern }: Argument) => pattern === null && !text.includes(unknownText)

/** Texts that are known to the end, whatever variables are; undefined: not all are. */
export function textsOf(words: readonly Argument[]): string[] | undefined {
  return words.every((word) => word.pattern === null && isWritten(word))
    ? words.map(({ text }) => text)
    : undefined
}

/** Pathspecs for the same files at least: what bash would make of a pattern is left to git. */
export function pathspecsOf(words: readonly Argument[]): string[] | undefined {
  const isKnown = words.every((word) => isWritten(word) && !/[?*+@!]\(/.test(word.pattern ?? ''))
  return isKnown ? words.map(({ text, pattern }) => pattern ?? text) : undefined
}

/** What a variable is may depend on another command. */
const isWritten = ({ text, source }: Argument) => !text.includes(unknownText) && !/[$`]/.test(source)
