// Programs that run another one, and what they let it be.

import type { Argument } from '../argument.js'
import {
  type Check,
  headOf,
  isSeveral,
  type Judging,
  notKnown,
  type Objection,
  textIn,
} from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { names } from '../read-only/form.js'
import { show } from '../show.js'
import { isHarmlessSetting, isHarmlessVariable } from '../variables.js'
import { type } from './shell.js'

/** Options, `skipped` operands, and then the command. */
const wrapper =
  (form: OptionForm, skipped = 0): Check =>
  (args, judging) => {
    const fitting = fits({ ...form, stops: true }, args)
    if (typeof fitting === 'string') return notKnown(fitting)
    const own = fitting.operands.slice(0, skipped)
    if (own.some(({ kind }) => kind !== 'text')) return notKnown('has an operand that is not known')
    return judging.command(fitting.operands.slice(skipped))
  }

export const builtin = wrapper({})
export const nice = wrapper({ values: 'n', nums: true, longValues: ['adjustment'] })
export const time = wrapper({ flags: 'pv' })
export const stdbuf = wrapper({ values: 'ioe', longValues: names('input output error') })
export const timeout = wrapper(
  {
    flags: 'v',
    values: 'ks',
    long: names('foreground preserve-status verbose'),
    longValues: names('kill-after signal'),
  },
  1,
)

export const command: Check = (args, judging, program) => {
  const [option, ...looked] = args
  const text = textIn(option)
  // It prints names only, unless another option follows.
  const [only, ...others] = looked
  if (text === '-v' && others.length === 0 && (only === undefined || !isSeveral(only))) return null
  return text === '-v' || text === '-V'
    ? type(looked, judging, program)
    : wrapper({ flags: 'p' })(args, judging, program)
}

/** Without a command it prints the environment. */
export const env: Check = (args, judging) => {
  const fitting = fits({ flags: '0i', values: 'u', stops: true }, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const { operands, options } = fitting
  const isUnknown = options.some(
    ({ name, value }) => name === 'u' && !isHarmlessVariable(textIn(value) ?? ''),
  )
  if (isUnknown) return notKnown('takes a variable away', 'executes')
  let index = 0
  for (; index < operands.length; index++) {
    const operand = operands[index] as Argument
    const [, name] = /^([A-Za-z_]\w*)=/.exec(headOf(operand)) ?? []
    if (name === undefined) break
    if (isSeveral(operand)) return notKnown('has operands that are not known')
    const value = textIn(operand)?.slice(name.length + 1)
    if (!isHarmlessSetting(name, value)) return notKnown(`sets ${show(name)}`, 'executes')
  }
  const [program, ...rest] = operands.slice(index)
  // Without PATH a shell may look for programs in the working directory.
  const isEmpty = options.some(({ name }) => name === 'i')
  const words = program === undefined ? [] : [program, ...rest]
  return isEmpty ? judging.commandWithoutPath(words) : judging.command(words)
}

const xargsForm: OptionForm = {
  flags: '0rtx',
  values: 'nLIPdsE',
  long: names('null no-run-if-empty verbose'),
  longValues: names('max-args max-lines max-procs delimiter'),
  stops: true,
}

const shells = new Set(names('sh bash dash zsh ksh eval'))

/** What it reads may be any words, options among them. */
export const xargs: Check = (args, judging) => {
  const fitting = fits(xargsForm, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const { operands, options } = fitting
  const numbers = options.flatMap(({ name, value }) =>
    name === 'P' || name === 'max-procs' ? [textIn(value) ?? ''] : [],
  )
  if (!numbers.every((number) => /^[1-9]\d?$/.test(number)))
    return notKnown('may start processes without end', 'executes')
  const many = numbers.every((number) => number === '1') ? null : judging.severalAtATime()
  if (many !== null) return many
  judging.noteRepeated()
  if (operands.length === 0) return null
  const replacements = options.filter(({ name }) => name === 'I')
  if (replacements.length === 0) return judging.command([...operands, { kind: 'unknown', several: true }])
  // The last of them counts, and then the words are appended.
  const appends = options.some(({ name }) => ['n', 'L', 'max-args', 'max-lines'].includes(name))
  if (appends) return notKnown('appends or replaces what it reads')
  const texts = replacements.map(({ value }) => textIn(value))
  const [replaced] = texts
  if (replaced === undefined || replaced === '' || texts.length > 1)
    return notKnown('replaces what is not known')
  return replacing(operands, replaced, { kind: 'unknown', several: false }, judging)
}

/**
 * The command in which what was found takes the place of `placeholder`.
 *
 * @param found what is known of it
 */
export function replacing(
  words: readonly Argument[],
  placeholder: string,
  found: Argument,
  judging: Judging,
): Objection | null {
  const isShell = shells.has(headOf(words[0]).replace(/^.*\//, ''))
  const filled: Argument[] = []
  for (const [index, word] of words.entries()) {
    const head = headOf(word)
    // In what is not certain there may be another one.
    if (word.kind !== 'text') {
      if (word.kind === 'prefix' && head.includes(placeholder)) filled.push(cutAt(head, placeholder, found))
      else filled.push(mayEndIn(head, placeholder) ? { kind: 'unknown', several: word.several } : word)
      continue
    }
    if (!head.includes(placeholder)) {
      filled.push(word)
      continue
    }
    if (index === 0) return notKnown('runs what is found', 'executes')
    if (isShell && head !== placeholder) return notKnown('makes what is found a part of a script', 'executes')
    filled.push(cutAt(head, placeholder, found))
  }
  return judging.command(filled)
}

/** Whether what follows may complete the placeholder. */
function mayEndIn(head: string, placeholder: string): boolean {
  for (let length = 1; length < placeholder.length; length++) {
    if (head.endsWith(placeholder.slice(0, length))) return true
  }
  return false
}

function cutAt(head: string, placeholder: string, found: Argument): Argument {
  const before = head.slice(0, head.indexOf(placeholder)) + headOf(found)
  return before === ''
    ? { kind: 'unknown', several: false }
    : { kind: 'prefix', head: before, several: false }
}
