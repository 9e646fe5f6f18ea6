// Builtins of the shell that set variables or options, and shells that run a text.

import type { Argument } from '../argument.js'
import { type Check, headOf, isSeveral, mayBeOption, notKnown, textIn } from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { names as list } from '../read-only/form.js'
import { isHarmlessSetting, isHarmlessVariable } from '../variables.js'
import { firstThatIsNoName } from './listings.js'

/** Builtins whose operands, and the value of `-a`, are names of variables. */
export const names =
  (form: OptionForm): Check =>
  (args, judging, program) => {
    const fitting = fits(form, args)
    if (typeof fitting === 'string') return notKnown(fitting)
    const arrays = fitting.options.flatMap(({ name, value }) =>
      name === 'a' && value !== undefined ? [value] : [],
    )
    if (arrays.length > 0 || /^(?:mapfile|readarray)$/.test(program)) judging.noteArray()
    const wrong = firstThatIsNoName([...fitting.operands, ...arrays], isHarmlessVariable)
    return wrong === null ? null : notKnown(wrong, 'executes')
  }

/** Not `-i`, which evaluates values, nor `-n`, which makes a name stand for another one. */
const declareForm: OptionForm = { flags: 'argAp' }

/** A value such as `(…)` is evaluated where the name is that of an array, as it may have been made one before. */
export const declare: Check = (args, judging, program) => {
  const fitting = fits(declareForm, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const wrong = firstThatIsNoName(fitting.operands, isHarmlessSetting)
  if (wrong !== null) return notKnown(wrong, 'executes')
  if (fitting.operands.length === 0) return notKnown('prints what belongs to the session')
  const makesArrays = fitting.options.some(({ name }) => 'aA'.includes(name))
  if (makesArrays) judging.noteArray()
  const open = fitting.operands.filter(mayBeCompound).length - judging.compounds
  if (open > 0 && program === 'local') judging.noteOpenLocal()
  return open > 0 && program !== 'local' ? notKnown('may evaluate a value', 'executes') : null
}

function mayBeCompound(operand: Argument): boolean {
  const head = headOf(operand)
  const value = head.slice(head.indexOf('=') + 1)
  return operand.kind === 'text'
    ? head.includes('=') && value.startsWith('(')
    : value === '' || value.startsWith('(')
}

const exportable = new Set(list('LC_ALL LANG TZ NO_COLOR FORCE_COLOR CI NODE_ENV COLUMNS'))

export const exported: Check = (args) => {
  if (args.some((argument) => headOf(argument).startsWith('-'))) return notKnown('has options')
  const wrong = firstThatIsNoName(
    args,
    (name, value) => exportable.has(name) && isHarmlessSetting(name, value),
  )
  return wrong === null ? null : notKnown(wrong, 'executes')
}

/** Of bash, `%n` sets the variable that the next operand names. */
const setting = /%[^%a-mo-zA-Z]*[hjlLtz]*n/

export const printf: Check = (args) => {
  const [first, second] = args
  const name = textIn(second)
  let operands = args
  if (textIn(first) === '-v' && name !== undefined && isHarmlessVariable(name)) operands = args.slice(2)
  else if (textIn(first) === '--') operands = args.slice(1)
  else if (first !== undefined && (mayBeOption(first) || isSeveral(first)))
    return notKnown('may set a variable')
  const [format, ...values] = operands
  if (format === undefined || values.length === 0) return null
  const text = textIn(format)
  return text === undefined || setting.test(text.replaceAll('%%', '')) ? notKnown('may set a variable') : null
}

/** It prints the functions that it is asked about, those of the session among them. */
export const type: Check = (args) =>
  args.every(({ kind }) => kind === 'text') ? null : notKnown('may print what belongs to the session')

const setOption = /^(?:[-+][eux]*o?|pipefail|errexit|nounset|xtrace)$/

export const set: Check = (args) => {
  if (args.length === 0) return notKnown('prints what belongs to the session')
  for (const argument of args) {
    const text = textIn(argument)
    if (text === '--') return null
    if (text === undefined || !setOption.test(text)) return notKnown('changes how the shell works')
  }
  return null
}

export const shopt: Check = (args) => {
  const isKnown = (argument: Argument) =>
    /^(?:-[supq]+|nullglob|globstar|dotglob)$/.test(textIn(argument) ?? '')
  return args.every(isKnown) ? null : notKnown('changes how the shell works')
}

const dateForm: OptionForm = {
  flags: 'uR',
  values: 'dr',
  optional: 'I',
  long: list('utc universal rfc-email iso-8601 rfc-3339 date reference'),
}

export const date: Check = (args) => {
  const fitting = fits(dateForm, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const setter = fitting.operands.find((operand) => !headOf(operand).startsWith('+'))
  return setter === undefined ? null : notKnown('may set the clock', 'writes')
}

const operators = new Set(list('= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o ] ) !'))

/** `-v` and `-R` evaluate the subscript of the name behind them. */
export const test: Check = (args) => {
  for (const [index, argument] of args.entries()) {
    if (argument.kind !== 'text' && argument.several)
      return notKnown('may evaluate a name that is not known', 'executes')
    const mayBe =
      argument.kind === 'unknown' || ['-v', '-R'].includes(textIn(argument) ?? '') || isStart(argument)
    const next = args[index + 1]
    if (!mayBe || next === undefined || operators.has(textIn(next) ?? '')) continue
    if (argument.kind === 'text' && /^[A-Za-z_]\w*$/.test(textIn(next) ?? '')) continue
    const before = textIn(args[index - 1]) ?? ''
    const isOperand =
      index > 0 && (operators.has(before) || /^-[a-zA-Z]$/.test(before)) && before !== '-a' && before !== '-o'
    if (isOperand && before !== '!' && argument.kind !== 'text') continue
    return notKnown('may evaluate the subscript of a name', 'executes')
  }
  return null
}

const isStart = (argument: Argument) =>
  argument.kind === 'prefix' && ['-', '-v', '-R'].includes(argument.head)

export const changeDirectory: Check = (args, judging) => {
  const target = args.find((argument) => !headOf(argument).startsWith('-'))
  const text = textIn(target)?.replace(/(.)\/$/, '$1')
  if (text !== '.' && text !== judging.workingDir) judging.noteOtherDirectory()
  return null
}

export const evaluate: Check = (args, judging) => {
  const texts = args.map(textIn)
  if (texts.includes(undefined)) return notKnown('runs a text that is not known', 'executes')
  return judging.script(texts.join(' '))
}

/**
 * What sh may read in another way than bash: dash takes `[[` for a program, `>` in it for a redirection, and splits what
 * `local` is given. Quotes within `${…}` end elsewhere.
 */
const notInSh =
  /\$\{[^}]*['"\\`]|\[\[|\(\(|\$['"[]|&>|\|&|[<>]\(|\+=|<<<|=\(|\w\[|[!?*+@]\(|;&|;;&|\}[<>]|>&\s*[^\d\s-]|\b(?:function|select|coproc|time|eval|declare|typeset|local|export|readonly|let|read|mapfile|readarray|shopt|pushd|popd|printf|builtin)\b/

/** `-l`, `-i`, `-s` and files are left to a person; `-n` parses a file, and does not run it. */
export const shell: Check = (args, judging, program) => {
  const unknown = notKnown('runs a text that is not known', 'executes')
  const texts = args.map(textIn)
  if (texts.length === 1 && texts[0] === '--version') return null
  if (texts[0] === '-n' && /^[^-+]/.test(headOf(args[1]))) return null
  let index = 0
  while (/^-[eux]+$/.test(texts[index] ?? '')) index++
  if (texts[index] === '-o' && texts[index + 1] === 'pipefail') index += 2
  if (!/^-[eux]*c$/.test(texts[index] ?? '')) return unknown
  const text = texts[index + 1]
  if (text === undefined || text.startsWith('-') || text.startsWith('+')) return unknown
  if (program !== 'bash' && notInSh.test(text.replaceAll('\\\n', '')))
    return notKnown(`has a script that ${program} may read in another way than bash`, 'executes')
  // `$0` and the parameters behind it reach the text as variables do.
  return judging.script(text)
}
