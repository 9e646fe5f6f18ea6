// awk: programs without `system`, pipes, `getline`, and redirections of what is printed.

import { type Check, notKnown, textIn } from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { awkReads } from './awk-program.js'

const form: OptionForm = { values: 'Fv', stops: true }

export const awk: Check = (args) => {
  const fitting = fits(form, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  for (const { name, value } of fitting.options) {
    const assigned = value?.kind === 'prefix' ? value.head : textIn(value)
    if (name === 'v' && !/^[a-z]\w*=/i.test(assigned ?? ''))
      return notKnown('sets a variable that is not known')
  }
  const program = textIn(fitting.operands[0])
  if (program === undefined) return notKnown('has a program that is not known')
  const wrong = awkReads(program)
  return wrong === null ? null : notKnown(wrong)
}
