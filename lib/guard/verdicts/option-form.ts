// Which options of a program are known to only read, as data, and whether arguments keep to them.
//
// An allow list: what is not named does not fit, so abbreviations and options of later versions do not either.

import type { Argument } from './argument.js'
import { show, showArgument } from './show.js'

export interface OptionForm {
  /** Letters without a value: `-a`, `-abc`. */
  flags?: string
  /** Letters with a value, attached or in the next argument: `-n5`, `-n 5`. */
  values?: string
  /** Letters that may have a value, attached only: `-M`, `-M50%`. */
  optional?: string
  /** Names without a value, or with one behind `=` only: `--color`, `--color=auto`. */
  long?: readonly string[]
  /** Names with a value, behind `=` or in the next argument. */
  longValues?: readonly string[]
  /** Letters and names of those whose value says how many threads run at a time: at most two digits. */
  threads?: readonly string[]
  /** Whether a number may be an option: `-20`. */
  nums?: boolean
  /**
   * How many operands there may be; default: any number. Then no option may follow an operand, since some programs
   * would take it for one more operand.
   */
  max?: number
  /** Whether the first operand ends the options, as for programs that run a command. What follows is not looked at. */
  stops?: boolean
}

export interface FittingOption {
  /** A letter, or a long name without `--`; a number for `-20`. */
  name: string
  value: Argument | undefined
}

export interface Fitting {
  operands: Argument[]
  options: FittingOption[]
}

/**
 * @param args without the name of the program
 * @returns why they do not fit, if they do not, in a few words: `option \`-o\` is not known to only read`
 */
export function fits(form: OptionForm, args: readonly Argument[]): Fitting | string {
  return new Fitter(form, args).fit()
}

class Fitter {
  readonly #form: OptionForm
  readonly #args: readonly Argument[]
  readonly #operands: Argument[] = []
  readonly #options: FittingOption[] = []
  #index = 0

  constructor(form: OptionForm, args: readonly Argument[]) {
    this.#form = form
    this.#args = args
  }

  fit(): Fitting | string {
    for (; this.#index < this.#args.length; this.#index++) {
      const argument = this.#args[this.#index] as Argument
      const beginning = headOf(argument)
      if (beginning === undefined) return `${showArgument(argument)} may be an option`
      if (argument.kind === 'text' && beginning === '--') {
        if (this.#form.max !== undefined && this.#operands.length > 0) return optionBehindOperand(argument)
        this.#operands.push(...this.#args.slice(this.#index + 1))
        break
      }
      if (!beginning.startsWith('-') || (argument.kind === 'text' && beginning === '-')) {
        if (this.#form.stops) {
          this.#operands.push(...this.#args.slice(this.#index))
          break
        }
        this.#operands.push(argument)
        continue
      }
      if (this.#form.max !== undefined && this.#operands.length > 0) return optionBehindOperand(argument)
      const wrong = beginning.startsWith('--')
        ? this.#long(argument, beginning)
        : this.#cluster(argument, beginning)
      if (wrong !== null) return wrong
    }
    return this.#tooManyThreads() ?? this.#tooMany() ?? { operands: this.#operands, options: this.#options }
  }

  #tooManyThreads(): string | null {
    const { threads = [] } = this.#form
    const isBounded = ({ name, value }: FittingOption) =>
      !threads.includes(name) || (value?.kind === 'text' && /^\d{1,2}$/.test(value.text))
    const wrong = this.#options.find((option) => !isBounded(option))
    return wrong === undefined ? null : `option ${show(wrong.name)} may start any number of threads`
  }

  #tooMany(): string | null {
    const { max } = this.#form
    if (max === undefined) return null
    const last = this.#operands[max]
    if (last !== undefined) return `operand ${showArgument(last)} is one more than reading takes`
    const several = this.#operands.find((operand) => operand.kind !== 'text' && operand.several)
    return several === undefined ? null : `${showArgument(several)} may be more operands than reading takes`
  }

  /** @returns what is wrong */
  #long(argument: Argument, beginning: string): string | null {
    const { long = [], longValues = [] } = this.#form
    const equals = beginning.indexOf('=')
    if (equals === -1 && argument.kind !== 'text') return unknownOption(argument)
    const name = beginning.slice(2, equals === -1 ? undefined : equals)
    if (equals !== -1 && (long.includes(name) || longValues.includes(name))) {
      this.#options.push({ name, value: rest(argument, equals + 1) })
      return null
    }
    if (longValues.includes(name)) return this.#separate(name, `--${name}`)
    if (!long.includes(name)) return unknownOption(argument)
    this.#options.push({ name, value: undefined })
    return null
  }

  /** @returns what is wrong */
  #cluster(argument: Argument, beginning: string): string | null {
    const { flags = '', values = '', optional = '', nums = false } = this.#form
    if (nums && argument.kind === 'text' && /^-\d+$/.test(beginning)) {
      this.#options.push({ name: beginning.slice(1), value: undefined })
      return null
    }
    for (let index = 1; index < beginning.length; index++) {
      const name = beginning.charAt(index)
      const attached = index + 1 < beginning.length
      if (optional.includes(name)) {
        const value = attached || argument.kind !== 'text' ? rest(argument, index + 1) : undefined
        this.#options.push({ name, value })
        return null
      }
      if (values.includes(name)) {
        if (attached) {
          this.#options.push({ name, value: rest(argument, index + 1) })
          return null
        }
        // An attached value that turns out empty makes the next argument the value.
        return argument.kind === 'text' ? this.#separate(name, `-${name}`) : unknownOption(argument)
      }
      if (!flags.includes(name)) {
        return argument.kind === 'text' ? notKnown(`-${name}`) : unknownOption(argument)
      }
      this.#options.push({ name, value: undefined })
    }
    return argument.kind === 'text' ? null : unknownOption(argument)
  }

  /** The value in an argument of its own. */
  #separate(name: string, option: string): string | null {
    const value = this.#args[++this.#index]
    if (value === undefined) return `option ${show(option)} has no value`
    if (value.kind !== 'text' && value.several) {
      return `the value of ${show(option)} may be several words`
    }
    if (headOf(value)?.startsWith('-')) return `the value of ${show(option)} may be an option`
    this.#options.push({ name, value })
    return null
  }
}

/** Undefined: nothing is known of it. */
function headOf(argument: Argument): string | undefined {
  if (argument.kind === 'text') return argument.text
  return argument.kind === 'prefix' ? argument.head : undefined
}

/** What is behind the first characters of the argument, which are certain. */
function rest(argument: Argument, start: number): Argument {
  if (argument.kind === 'text') return { kind: 'text', text: argument.text.slice(start) }
  const head = headOf(argument)?.slice(start) ?? ''
  return head === '' ? { kind: 'unknown', several: false } : { kind: 'prefix', head, several: false }
}

function notKnown(option: string): string {
  return `option ${show(option)} is not known to only read`
}

function unknownOption(argument: Argument): string {
  if (argument.kind !== 'text') return `${showArgument(argument)} may be any option`
  const equals = argument.text.indexOf('=')
  return notKnown(equals === -1 ? argument.text : argument.text.slice(0, equals))
}

function optionBehindOperand(argument: Argument): string {
  return `${showArgument(argument)} behind an operand may be one more operand`
}
