// sed: its options, and its script by the scanner.

import { type Check, notKnown, textIn } from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { names } from '../read-only/form.js'
import { sedReads } from './sed.js'

const form: OptionForm = {
  flags: 'nErszu',
  values: 'el',
  long: names('quiet silent regexp-extended separate null-data sandbox posix'),
  longValues: names('expression line-length'),
}

export const sed: Check = (args) => {
  const fitting = fits(form, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  const { operands, options } = fitting
  const given = options.filter(({ name }) => name === 'e' || name === 'expression').map(({ value }) => value)
  const scripts = (given.length > 0 ? given : operands.slice(0, 1)).map(textIn)
  if (scripts.length === 0 || scripts.includes(undefined)) return notKnown('has a script that is not known')
  // Not every sed lets the text of a command go on in the next one.
  if (scripts.slice(0, -1).some((script) => script?.endsWith('\\')))
    return notKnown('has a script in two parts')
  const wrong = sedReads(scripts.join('\n'))
  return wrong === null ? null : notKnown(wrong)
}
